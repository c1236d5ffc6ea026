import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The way that bytes go: from the program under test to its server, or back. */
type Direction = "toServer" | "toClient";

const BOTH: readonly Direction[] = ["toServer", "toClient"];

/** One connection through the network. */
export interface Passage {
  cut(side?: "client" | "server"): void;
  silence(...directions: readonly Direction[]): void;
}

/** What happens to bytes of one direction. */
type Traffic = "pass" | "hold" | "drop";

/**
 * A real network between a program and a server, in which a test causes faults: a TCP proxy on a port of its own. Where
 * a function takes directions, none means both.
 *
 * | Fault | Call |
 * | --- | --- |
 * | the connection breaks, and both sides notice | `cut()` |
 * | it breaks for one side; the other side's session stays open | `cut("client")`, `cut("server")` |
 * | a firewall forgot the open connections: silence without end; new ones work | `silence()` |
 * | a black hole: nothing passes, new connections neither | `drop()`, ended by `pass()` |
 * | the network stands still for a while and loses nothing | `hold()`, ended by `pass()` |
 * | the network is slow | `delay(ms)` |
 * | nobody listens | `refuse()`, ended by `accept()` |
 * | any of these exactly when a text has passed, such as `commit` | `after(direction, text, fault)` |
 * | a fault of one connection only | the argument of that `fault`: `cut`, `silence` |
 *
 * A proxy acknowledges bytes that it drops, so `tcp_user_timeout` and keepalive notice nothing here.
 */
export interface Network {
  readonly host: string;
  readonly port: number;
  /** The given DSN, leading through this network. */
  readonly dsn: string;
  /** The number of connections that are open for both sides. */
  readonly connections: number;
  /** Breaks the open connections. Bytes that went through before are delivered to the server. */
  cut(side?: "client" | "server"): void;
  /** From now on, open connections lose all bytes of these directions. New connections work. */
  silence(...directions: readonly Direction[]): void;
  /** From now on, all bytes of these directions are lost, of new connections too. */
  drop(...directions: readonly Direction[]): void;
  /** From now on, bytes of these directions wait for `pass`, of new connections too. */
  hold(...directions: readonly Direction[]): void;
  /**
   * Ends `drop` and `hold`: what was held is delivered in order, and new connections work. A connection that has lost
   * bytes stays silent, as its stream has a gap.
   */
  pass(...directions: readonly Direction[]): void;
  /** Each piece arrives this much later. */
  delay(ms: number): void;
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /**
   * Calls `fault` once, in the moment after a piece that contains `text` was handed on and before anything else passes,
   * with the connection on which it passed. The promise resolves then. A text is found within one piece: choose one that
   * is sent at once, such as `begin\0` (a prepared statement is sent as text only the first time).
   */
  after(direction: Direction, text: string, fault: (passage: Passage) => void): Promise<void>;
  /** Ends the network and all its connections. */
  close(): Promise<void>;
}

/** Opens a network to a server, given by its DSN (`postgres://…`) or any URL with host and port. */
export async function openNetwork(dsn: string): Promise<Network> {
  const proxy = new Proxy(dsn);
  await proxy.accept();
  return proxy;
}

class Proxy implements Network {
  readonly host = "127.0.0.1";
  readonly traffic: Record<Direction, Traffic> = { toServer: "pass", toClient: "pass" };
  delayMs = 0;
  readonly #target: URL;
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#joined(client));
  readonly #pairs = new Set<Pair>();
  #awaited: readonly Awaited[] = [];
  #port = 0;

  constructor(dsn: string) {
    this.#target = new URL(dsn);
  }

  get port(): number {
    return this.#port;
  }

  get dsn(): string {
    const url = new URL(this.#target);
    url.host = `${this.host}:${this.#port}`;
    return url.href;
  }

  get connections(): number {
    return [...this.#pairs].filter((pair) => pair.isWhole).length;
  }

  cut(side?: "client" | "server"): void {
    for (const pair of this.#pairs) pair.cut(side);
  }

  silence(...directions: readonly Direction[]): void {
    for (const pair of this.#pairs) pair.silence(...directions);
  }

  drop(...directions: readonly Direction[]): void {
    this.#turn(directions, "drop");
  }

  hold(...directions: readonly Direction[]): void {
    this.#turn(directions, "hold");
  }

  pass(...directions: readonly Direction[]): void {
    this.#turn(directions, "pass");
  }

  delay(ms: number): void {
    this.delayMs = ms;
  }

  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    // Does not wait for the callback, which comes when the last open connection has ended.
    this.#server.close();
  }

  async accept(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((listening, failed) => {
      this.#server.once("error", failed);
      this.#server.listen(this.#port, this.host, () => {
        this.#server.off("error", failed);
        listening();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async after(direction: Direction, text: string, fault: Awaited["fault"]): Promise<void> {
    await new Promise<void>((passed) => {
      this.#awaited = [...this.#awaited, { direction, text, fault, passed }];
    });
  }

  async close(): Promise<void> {
    await this.refuse();
    for (const pair of this.#pairs) pair.destroy();
  }

  /** Causes the faults that wait for a text of this piece. */
  passed(passage: Passage, direction: Direction, piece: Buffer): void {
    const due = this.#awaited.filter(
      (awaited) => awaited.direction === direction && piece.includes(awaited.text),
    );
    if (due.length === 0) return;
    this.#awaited = this.#awaited.filter((awaited) => !due.includes(awaited));
    for (const { fault, passed } of due) {
      fault(passage);
      passed();
    }
  }

  #joined(client: Socket): void {
    const server = connect({
      host: this.#target.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(this.#target.port),
      allowHalfOpen: true,
    });
    const pair = new Pair(this, client, server);
    this.#pairs.add(pair);
    pair.ended = () => this.#pairs.delete(pair);
  }

  #turn(directions: readonly Direction[], traffic: Traffic): void {
    for (const direction of directions.length === 0 ? BOTH : directions)
      this.traffic[direction] = traffic;
    this.#each(directions, (lane) => lane.turn(traffic));
  }

  #each(directions: readonly Direction[], act: (lane: Lane) => void): void {
    for (const pair of this.#pairs)
      for (const direction of directions.length === 0 ? BOTH : directions) act(pair[direction]);
  }
}

interface Awaited {
  readonly direction: Direction;
  readonly text: string;
  readonly fault: (passage: Passage) => void;
  readonly passed: () => void;
}

/** One connection through the network: a socket for each side and a lane for each direction. */
class Pair implements Passage {
  readonly toServer: Lane;
  readonly toClient: Lane;
  ended: () => void = () => undefined;
  readonly #client: Socket;
  readonly #server: Socket;

  constructor(proxy: Proxy, client: Socket, server: Socket) {
    this.#client = client;
    this.#server = server;
    const passed = (direction: Direction) => (piece: Buffer) =>
      proxy.passed(this, direction, piece);
    this.toServer = new Lane(proxy, "toServer", client, server, passed("toServer"));
    this.toClient = new Lane(proxy, "toClient", server, client, passed("toClient"));
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("close", () => client.destroyed && server.destroyed && this.ended());
    }
  }

  get isWhole(): boolean {
    return !this.#client.destroyed && !this.#server.destroyed;
  }

  cut(side?: "client" | "server"): void {
    this.toServer.turn("drop");
    this.toClient.turn("drop");
    if (side !== "server") this.#client.resetAndDestroy();
    // Not a reset, which could overtake bytes that were handed on before.
    if (side !== "client") this.#server.destroySoon();
  }

  silence(...directions: readonly Direction[]): void {
    for (const direction of directions.length === 0 ? BOTH : directions)
      this[direction].turn("drop");
  }

  destroy(): void {
    this.#client.destroy();
    this.#server.destroy();
  }
}

type Piece = Buffer | "end" | "reset";

/** One direction of a connection. */
class Lane {
  readonly #proxy: Proxy;
  readonly #to: Socket;
  readonly #passed: (piece: Buffer) => void;
  #traffic: Traffic;
  #held: Piece[] = [];

  constructor(
    proxy: Proxy,
    direction: Direction,
    from: Socket,
    to: Socket,
    passed: (piece: Buffer) => void,
  ) {
    this.#proxy = proxy;
    this.#to = to;
    this.#passed = passed;
    this.#traffic = proxy.traffic[direction];
    from.on("data", (piece: Buffer) => this.#arrived(piece));
    from.on("end", () => this.#arrived("end"));
    from.on("error", () => this.#arrived("reset"));
  }

  turn(traffic: Traffic): void {
    if (this.#traffic === "drop") return;
    this.#traffic = traffic;
    if (traffic === "drop") this.#held = [];
    if (traffic !== "pass") return;
    for (const piece of this.#held.splice(0)) this.#send(piece);
  }

  #arrived(piece: Piece): void {
    if (this.#proxy.delayMs === 0) return this.#take(piece);
    // Timers of equal length end in the order in which they began.
    setTimeout(() => this.#take(piece), this.#proxy.delayMs);
  }

  #take(piece: Piece): void {
    if (this.#traffic === "hold" || this.#held.length > 0) this.#held.push(piece);
    else if (this.#traffic === "pass") this.#send(piece);
  }

  #send(piece: Piece): void {
    if (this.#to.destroyed) return;
    if (piece === "end") this.#to.end();
    else if (piece === "reset") this.#to.resetAndDestroy();
    else {
      this.#to.write(piece);
      this.#passed(piece);
    }
  }
}
