import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { endianness } from "node:os";

/**
 * The texts of the kernel's tables of TCP sockets, for IPv4 and IPv6; `undefined` if this process cannot read a table.
 */
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
 * Reads the tables. Throws if a read fails for a temporary reason, such as too many open files. Other users can cause
 * such a failure, so it must not be treated like a system without tables.
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

/** The contents of the tables, indexed so that looking up one of many connections is fast. */
export interface SocketIndex {
  /**
   * The user id of each socket that a process has open. The key is the local and the remote address of the socket, as
   * the tables print them.
   */
  readonly users: ReadonlyMap<string, number>;
  /** The local addresses of all sockets, including those of listeners. */
  readonly listed: ReadonlySet<string>;
}

export function indexOf({ tcp = "", tcp6 = "" }: SocketTable): SocketIndex {
  const users = new Map<string, number>();
  const listed = new Set<string>();
  for (const text of [tcp, tcp6]) {
    // The first line is the heading. Each row begins with its number, both ends of the connection, and the state.
    let at = text.indexOf("\n") + 1;
    for (let stop = text.indexOf("\n", at); stop >= 0; stop = text.indexOf("\n", at)) {
      const local = text.indexOf(": ", at) + 2;
      const remote = text.indexOf(" ", local) + 1;
      const state = text.indexOf(" ", remote) + 1;
      at = stop + 1;
      if (text.startsWith(TIME_WAIT, state)) continue;
      listed.add(text.slice(local, remote - 1));
      const [, , , , uid, , inode] = text.slice(state, stop).split(/ +/, 7);
      // A socket that its process has closed has no inode. The table gives it the user 0, which must not be mistaken
      // for root.
      if (inode !== "0") users.set(text.slice(local, state - 1), Number(uid));
    }
  }
  return { users, listed };
}

/**
 * The state of connections that have ended. No process has them open, and there may be tens of thousands, so they are
 * skipped.
 */
const TIME_WAIT = "06 ";

/**
 * Returns the user id of the process at the other end of a connection within this machine. Returns `gone` if no process
 * has that end open any more, and `untold` if the tables are incomplete because they do not even list our own listener.
 */
export function peerUser(
  { users, listed }: SocketIndex,
  { localAddress, localPort = 0, remoteAddress, remotePort = 0 }: Ends,
): number | "gone" | "untold" {
  // If the peer has reset the connection, the kernel no longer knows the peer's address.
  if (localAddress === undefined || remoteAddress === undefined) return "gone";
  const withoutMapping = (address: string): string => address.replace(MAPPED, "");
  const ours = [withoutMapping(localAddress), localPort] as const;
  const theirs = [withoutMapping(remoteAddress), remotePort] as const;
  // A socket for IPv6 may carry an IPv4 connection; the kernel then lists it with an IPv4-mapped address.
  const forms = isIPv4(withoutMapping(localAddress)) ? [ipv4, mapped] : [ipv6];
  if (!forms.some((hex) => listed.has(endpointText(hex, ours)))) return "untold";
  for (const hex of forms) {
    const user = users.get(`${endpointText(hex, theirs)} ${endpointText(hex, ours)}`);
    if (user !== undefined) return user;
  }
  return "gone";
}

const MAPPED = /^::ffff:(?=\d+\.)/i;

type HexOfAddress = (address: string) => string;

function endpointText(hex: HexOfAddress, [address, port]: readonly [string, number]): string {
  return `${hex(address)}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

const ipv4: HexOfAddress = (address) => hexWord(Buffer.from(address.split(".").map(Number)));
const mapped: HexOfAddress = (address) =>
  hexWord(Buffer.from([0, 0, 0xff, 0xff])).padStart(24, "0") + ipv4(address);
/** An IPv6 address as the tables print it. Only `::1` is needed, the one loopback address of IPv6. */
const ipv6: HexOfAddress = (address) =>
  address === "::1" ? hexWord(Buffer.from([0, 0, 0, 1])).padStart(32, "0") : "";

/** The kernel prints each 32-bit word as a number in the byte order of the machine. */
function hexWord(bytes: Buffer): string {
  const word = endianness() === "LE" ? bytes.readUInt32LE() : bytes.readUInt32BE();
  return word.toString(16).toUpperCase().padStart(8, "0");
}
