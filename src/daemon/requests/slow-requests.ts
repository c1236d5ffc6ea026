import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Poller } from "../poller.ts";

/** The maximum time for the whole header of a request (docs/contract/http-api.md#11-transport-and-formats). */
const HEADERS_MS = 10_000;
/** The maximum time for a TLS handshake. Node's own limit is two minutes. */
const HANDSHAKE_MS = 10_000;
/** The maximum time for the whole body, from the end of the header (docs/daemon.md). */
const BODY_MS = 30_000;
/** How often connections are checked; a request may exceed its limit by this much. */
const LOOK_MS = 1000;

interface ConnectionState {
  open: number;
  /**
   * The time at which the wait for the next header began, in ms of `Poller`. `undefined` while the connection is idle
   * or a request is being answered.
   */
  header: number | undefined;
  bytes: number;
}

interface BodyState {
  readonly since: number;
  /** Refuses the request; `undefined` while nothing reads the body. */
  refuse: (() => void) | undefined;
}

/**
 * Ends requests that arrive too slowly, and closes a connection if a full listener needs room for another. Node has its
 * own limits for slow requests, but it checks them only every 30 seconds, and the package listhen, which opens the
 * listener, offers no option to change that.
 */
export class SlowRequests {
  readonly #log: Pick<Log, "info">;
  readonly #poller: Poller;
  readonly #lines = new Map<Socket, ConnectionState>();
  readonly #bodies = new Map<IncomingMessage, BodyState>();
  /** Connections whose TLS handshake is not complete, by remote address and port, with the time at which it began. */
  readonly #handshakes = new Map<string, { readonly socket: Socket; readonly since: number }>();
  /**
   * Connections that may be closed to make room, because none of their open requests is authenticated. Ordered by the
   * time at which they were opened or last answered, oldest first.
   */
  readonly #waiting = new Set<Socket>();

  constructor(clock: Clock, log: Pick<Log, "info">) {
    this.#log = log;
    this.#poller = new Poller(clock, LOOK_MS, () => this.#checkAll());
  }

  /**
   * Watches a server's connections. `begun` is the event that delivers the socket on which requests arrive. For HTTPS
   * this is `secureConnection`: it follows the TLS handshake and delivers a different socket than `connection`.
   */
  watch(server: Server, begun: "connection" | "secureConnection"): void {
    if (begun === "secureConnection") this.#watchHandshakes(server);
    server.on(begun, (socket: Socket) => {
      this.#lines.set(socket, { open: 0, header: this.#poller.ms, bytes: 0 });
      this.#addWaiting(socket);
      socket.once("close", () => this.#lines.delete(socket));
      this.#poller.begin();
    });
  }

  #watchHandshakes(server: Server): void {
    server.on("connection", (socket: Socket) => {
      const end = otherEnd(socket);
      this.#handshakes.set(end, { socket, since: this.#poller.ms });
      this.#addWaiting(socket);
      socket.once("close", () => this.#handshakes.delete(end));
      this.#poller.begin();
    });
    server.on("secureConnection", (socket: Socket) => {
      const end = otherEnd(socket);
      const begun = this.#handshakes.get(end);
      if (begun !== undefined) this.#waiting.delete(begun.socket);
      this.#handshakes.delete(end);
    });
  }

  #addWaiting(socket: Socket): void {
    this.#waiting.add(socket);
    socket.once("close", () => this.#waiting.delete(socket));
  }

  /**
   * Protects the connection of an authenticated request from being closed to make room before the request is answered.
   * Do not call this for a request that anybody may send.
   */
  letIn({ socket }: IncomingMessage): void {
    this.#waiting.delete(socket);
  }

  /**
   * Closes the connection that has waited longest among those without an authenticated request. With `address`, only
   * connections from this remote address count.
   */
  closeLongestWaiting(address?: string): void {
    for (const socket of this.#waiting) {
      if (address !== undefined && socket.remoteAddress !== address) continue;
      this.#waiting.delete(socket);
      socket.destroy();
      return;
    }
  }

  begun(req: IncomingMessage, res: ServerResponse): void {
    const { socket, headers } = req;
    const hasBody =
      headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    const line = this.#lines.get(socket);
    if (line !== undefined) {
      line.open++;
      line.header = undefined;
    }
    if (hasBody) this.#bodies.set(req, { since: this.#poller.ms, refuse: undefined });
    res.once("close", () => {
      if (req.complete) this.#bodies.delete(req);
      if (line === undefined || --line.open > 0) return;
      line.bytes = socket.bytesRead;
      this.#waiting.delete(socket);
      if (!socket.destroyed) this.#waiting.add(socket);
    });
  }

  /** Call this when the daemon begins to wait for the body. `refuse` is called if the body takes too long. */
  awaited(req: IncomingMessage, refuse: () => void): void {
    const body = this.#bodies.get(req);
    if (body !== undefined) body.refuse = refuse;
  }

  stop(): void {
    this.#poller.stop();
  }

  #checkAll(): boolean {
    const now = this.#poller.ms;
    for (const { socket, since } of this.#handshakes.values()) {
      if (now - since <= HANDSHAKE_MS) continue;
      this.#log.info("request.slow", { awaited: "handshake" });
      socket.destroy();
    }
    for (const [socket, line] of this.#lines) this.#lookAtHeader(socket, line, now);
    for (const [req, body] of this.#bodies) this.#lookAtBody(req, body, now);
    return this.#lines.size + this.#handshakes.size > 0;
  }

  #lookAtHeader(socket: Socket, line: ConnectionState, now: number): void {
    if (line.open > 0) return;
    // The first bytes after an idle time belong to the next header, so the wait for it begins now.
    if (line.header === undefined && socket.bytesRead > line.bytes) line.header = now;
    if (line.header === undefined || now - line.header <= HEADERS_MS) return;
    this.#log.info("request.slow", { awaited: "header" });
    socket.end(TIMED_OUT);
    socket.destroySoon();
  }

  #lookAtBody(req: IncomingMessage, body: BodyState, now: number): void {
    // The socket is checked too: if a request was answered before its body arrived, Node does not mark the request as
    // destroyed when its connection closes.
    if (req.complete || req.destroyed || req.socket.destroyed) this.#bodies.delete(req);
    else if (now - body.since > BODY_MS) {
      const { refuse } = body;
      body.refuse = undefined;
      this.#log.info("request.slow", { awaited: "body" });
      // Without `refuse`, nothing reads the body, or the request was refused at the last check and the client has had
      // time to read the reason.
      if (refuse === undefined) req.socket.destroy();
      else refuse();
    }
  }
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
