import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { endianness } from "node:os";

/** The kernel's tables of TCP sockets as text, of IPv4 and of IPv6; `undefined` if this process has none to read. */
export interface SocketTable {
  readonly tcp: string | undefined;
  readonly tcp6: string | undefined;
}

/** Both ends of a connection, as this process sees them. */
export interface Ends {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/**
 * Throws if a read fails for a passing reason, such as too many open files. Other users can bring those about, so they
 * must not look like a system without tables.
 */
export async function readSocketTable(): Promise<SocketTable> {
  const text = async (path: string): Promise<string | undefined> =>
    await readFile(path, "latin1").catch((error: NodeJS.ErrnoException) => {
      if (LACKING.has(error.code)) return undefined;
      throw error;
    });
  const [tcp, tcp6] = await Promise.all([text("/proc/net/tcp"), text("/proc/net/tcp6")]);
  return { tcp, tcp6 };
}

const LACKING: ReadonlySet<string | undefined> = new Set(["ENOENT", "EACCES", "EPERM"]);

/**
 * The user id of the process at the other end of a connection of this machine. `gone`: no process has the other end
 * open any more. `untold`: the tables lack even our own listener, so they are incomplete.
 */
export function peerUser(
  { tcp, tcp6 }: SocketTable,
  { localAddress, localPort = 0, remoteAddress, remotePort = 0 }: Ends,
): number | "gone" | "untold" {
  // The kernel forgets the address of a peer that reset the connection.
  if (localAddress === undefined || remoteAddress === undefined) return "gone";
  const bare = (address: string): string => address.replace(MAPPED, "");
  const ours = [bare(localAddress), localPort] as const;
  const theirs = [bare(remoteAddress), remotePort] as const;
  // An IPv6 socket may have an IPv4 connection; then the kernel lists it with an IPv4-mapped address.
  const places = isIPv4(bare(localAddress))
    ? ([
        [tcp, ipv4],
        [tcp6, mapped],
      ] as const)
    : ([[tcp6, ipv6]] as const);
  const listed = places.some(([text, hex]) => text?.includes(` ${end(hex, ours)} `));
  if (!listed) return "untold";
  for (const [text = "", hex] of places) {
    const at = text.indexOf(` ${end(hex, theirs)} ${end(hex, ours)} `);
    if (at < 0) continue;
    const [, , , , , , uid, , inode] = text.slice(at + 1, text.indexOf("\n", at)).split(/ +/);
    // A socket that its process has closed has no inode. It is listed with user 0, which must not be taken for root.
    if (inode !== "0") return Number(uid);
  }
  return "gone";
}

const MAPPED = /^::ffff:(?=\d+\.)/i;

type Hex = (address: string) => string;

function end(hex: Hex, [address, port]: readonly [string, number]): string {
  return `${hex(address)}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

const ipv4: Hex = (address) => words(Buffer.from(address.split(".").map(Number)));
const mapped: Hex = (address) =>
  words(Buffer.from([0, 0, 0xff, 0xff])).padStart(24, "0") + ipv4(address);
/** The only loopback address of IPv6. */
const ipv6: Hex = (address) =>
  address === "::1" ? words(Buffer.from([0, 0, 0, 1])).padStart(32, "0") : "";

/** The kernel prints each 32-bit word as a number of the machine's byte order. */
function words(bytes: Buffer): string {
  const word = endianness() === "LE" ? bytes.readUInt32LE() : bytes.readUInt32BE();
  return word.toString(16).toUpperCase().padStart(8, "0");
}
