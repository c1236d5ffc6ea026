import { randomBytes } from "node:crypto";
import {
  type JSONRPCMessage,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../base/clock.ts";
import { cancelWhenDropped, forgetCancelled } from "./cancel.ts";
import { Refusal } from "./refusal.ts";

/** A session ends when it has had no request for this long (docs/contract/tools.md#24-over-http). */
export const SESSION_IDLE_MS = 30 * 60_000;
/** At most this many sessions exist. A new one replaces the one that has been idle for the longest time. */
export const MAX_SESSIONS = 256;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The number of requests that are not fully answered, open event streams included. */
  open: number;
  usedMs: number;
}

/** The sessions of clients that began with `initialize`, by their id. */
export class Sessions {
  readonly #build: () => Server;
  readonly #clock: Clock;
  /** The most recently used session comes last. */
  readonly #byId = new Map<string, Session>();

  constructor(build: () => Server, clock: Clock) {
    this.#build = build;
    this.#clock = clock;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Begins a session. Its id is in the answer's header `Mcp-Session-Id`. */
  async begin(request: Request, message: JSONRPCMessage): Promise<Response> {
    this.#makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(16).toString("hex"),
      onsessioninitialized: (id) => {
        this.#byId.set(id, { transport, open: 0, usedMs: this.#clock.nowMs() });
      },
    });
    const server = this.#build();
    const closed = server.onclose;
    server.onclose = () => {
      this.#byId.delete(transport.sessionId ?? "");
      closed?.();
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: message });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** Answers a request of a session. Call `done` when the answer is written. */
  async answer(
    id: string,
    request: Request,
    message?: JSONRPCMessage,
  ): Promise<{ readonly response: Response; readonly done: () => void }> {
    const session = this.#byId.get(id);
    if (session === undefined || this.#isIdle(session)) {
      await session?.transport.close();
      throw new Refusal(404, "there is no such session: begin a new one with initialize");
    }
    this.#countUse(id, session, 1);
    const done = (): void => this.#countUse(id, session, -1);
    const { transport } = session;
    cancelWhenDropped(transport, request.signal, message);
    try {
      const parsed = message === undefined ? {} : { parsedBody: message };
      const response = await transport.handleRequest(request, parsed);
      await forgetCancelled(transport, message);
      return { response, done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Ends the event streams of all sessions; their running calls continue. */
  endStreams(): void {
    for (const { transport } of this.#byId.values()) transport.closeStandaloneSSEStream();
  }

  async endIdle(): Promise<void> {
    for (const session of [...this.#byId.values()])
      if (this.#isIdle(session)) await session.transport.close();
  }

  /** Ends all sessions and their running calls. */
  async close(): Promise<void> {
    for (const { transport } of [...this.#byId.values()]) await transport.close();
  }

  #isIdle({ open, usedMs }: Session): boolean {
    return open === 0 && this.#clock.nowMs() - usedMs >= SESSION_IDLE_MS;
  }

  #countUse(id: string, session: Session, change: 1 | -1): void {
    session.open += change;
    session.usedMs = this.#clock.nowMs();
    if (!this.#byId.delete(id)) return;
    this.#byId.set(id, session);
  }

  #makeRoom(): void {
    if (this.#byId.size < MAX_SESSIONS) return;
    const idle = [...this.#byId.values()].find(({ open }) => open === 0);
    if (idle === undefined)
      throw new Refusal(503, `all ${MAX_SESSIONS} sessions are in use: end one with DELETE`, {
        "Retry-After": "60",
      });
    void idle.transport.close();
  }
}
