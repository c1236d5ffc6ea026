import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { Log } from "../../base/log.ts";
import { SvcError } from "../../contract/errors.ts";
import {
  type Ends,
  indexOf,
  peerUser,
  readSocketTable,
  type SocketIndex,
  type SocketTable,
} from "./socket-table.ts";

const ROOT = 0;

/** The id of the user at the other end of a connection, or why it is not known. */
type Peer = ReturnType<typeof peerUser>;

/**
 * Finds out whether a loopback connection comes from the user who runs the daemon, or from root, who can read the
 * database anyway. It asks the kernel once for each connection, which only Linux supports. A connection may be missing
 * in the kernel's tables:
 * - If the tables have never listed a connection of the daemon, every user of the machine counts as the owner.
 * - If they have listed a connection before, the unlisted connection is refused, because the tables are then incomplete
 *   only for a moment.
 */
export class PeerUsers {
  readonly #log: Log;
  readonly #user: number;
  readonly #shared: number | undefined;
  readonly #read: () => Promise<SocketTable>;
  readonly #known = new WeakMap<Socket, Peer | Promise<Peer>>();
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<SocketIndex> | undefined;
  #tells = false;
  #warned = false;

  /**
   * `shared` is the user id that the kernel shows for every user who has no id in the user namespace of the daemon. It
   * is `undefined` outside of a user namespace.
   */
  constructor(
    log: Log,
    user: number,
    read: () => Promise<SocketTable> = readSocketTable,
    shared?: number,
  ) {
    this.#shared = shared;
    this.#log = log;
    this.#user = user;
    this.#read = read;
  }

  /**
   * Whether the connection comes from the user who runs the daemon, or from root. Rejects with `unavailable` if the
   * kernel cannot be asked now; the next request on the connection then asks again.
   */
  isOwn(socket: Socket): boolean | Promise<boolean> {
    const isOwn = (peer: Peer): boolean =>
      peer === "untold" || (peer !== this.#shared && (peer === this.#user || peer === ROOT));
    const peer = this.#peerOf(socket);
    return peer instanceof Promise ? peer.then(isOwn) : isOwn(peer);
  }

  /**
   * Whether the connection comes from the user with this id. Rejects with `unavailable` if the kernel does not list the
   * connection, even if it never lists any.
   */
  async isOf(socket: Socket, user: number): Promise<boolean> {
    const peer = await this.#peerOf(socket);
    if (peer === "untold") throw unknownUserError();
    return peer !== this.#shared && peer === user;
  }

  #peerOf(socket: Socket): Peer | Promise<Peer> {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const { localAddress, localPort, remoteAddress, remotePort } = socket;
    const answer = this.#findUser({ localAddress, localPort, remoteAddress, remotePort }).then(
      (peer) => {
        this.#known.set(socket, peer);
        return peer;
      },
      (cause: unknown) => {
        this.#known.delete(socket);
        throw unknownUserError(cause);
      },
    );
    this.#known.set(socket, answer);
    return answer;
  }

  async #findUser(ends: Ends): Promise<Peer> {
    let user = peerUser(await this.#readTable(), ends);
    // While other rows are added or removed, the kernel may leave out the row of this connection. Read the tables once
    // more.
    if (typeof user === "string") user = peerUser(await this.#readTable(), ends);
    if (user !== "untold") {
      this.#tells = true;
      return user;
    }
    if (this.#tells) throw unknownUserError();
    if (!this.#warned) this.#log.warn("peers.unknown", { file: "/proc/net/tcp" });
    this.#warned = true;
    return user;
  }

  /**
   * Reads the tables. They may be long, so there is only one read at a time; requests that arrive during a read share
   * the next one.
   */
  #readTable(): Promise<SocketIndex> {
    this.#next ??= this.#last.then(async () => {
      this.#next = undefined;
      const reading = this.#read().then(indexOf);
      // The next read starts after this one, even if this one fails.
      this.#last = reading.catch(() => undefined);
      return await reading;
    });
    return this.#next;
  }
}

function unknownUserError(cause?: unknown): SvcError {
  if (cause instanceof SvcError) return cause;
  return new SvcError(
    "unavailable",
    {},
    {
      message: "the daemon cannot tell now which user made this connection; nothing was changed",
      hint: "send it again in a moment, or use the daemon's socket",
      cause,
    },
  );
}

/** Returns `undefined` on systems that do not tell which user made a connection. */
export function peerUsers(log: Log): PeerUsers | undefined {
  const user = process.getuid?.();
  if (process.platform !== "linux" || user === undefined) return undefined;
  const shared = sharedUser(text("/proc/self/uid_map"), text("/proc/sys/kernel/overflowuid"));
  return new PeerUsers(log, user, readSocketTable, shared);
}

/**
 * Returns the user id that the kernel shows in a user namespace for every user that has no id in this namespace.
 * Returns `undefined` outside of a user namespace, where every user has an id.
 */
export function sharedUser(uidMap = "", overflow = ""): number | undefined {
  if (uidMap === "" || /^\s*0\s+0\s+4294967295\s*$/.test(uidMap)) return undefined;
  return Number(overflow.trim() || "65534");
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
