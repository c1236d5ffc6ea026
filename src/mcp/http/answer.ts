import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  legacyStatelessFallback,
  type Server,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../base/clock.ts";
import { STATELESS_VERSION, withVersion } from "../protocol/message.ts";
import { protocolServer, type ServerText } from "../protocol/server.ts";
import type { ToolServer } from "../tool-server.ts";
import { Sessions } from "./sessions.ts";

/** An answer, and what is to be called when it is written or the client is gone. */
export interface Answered {
  readonly response: Response;
  readonly done?: () => void;
}

/** At most this many clients of 2026-07-28 listen for changes. */
const MAX_LISTENERS = 256;

/**
 * Answers requests of both protocol generations. All see the same tools. A client that names its version in each
 * request hears of new tools by `subscriptions/listen`; the others by the answer to their own call, or by the event
 * stream of their session (facts mcp 2.4).
 */
export class Answers {
  readonly #tools: ToolServer;
  readonly #text: ServerText;
  readonly #stateless;
  /** The streams of `subscriptions/listen`, apart from the calls, since they end before these when the server stops. */
  readonly #listening;
  readonly #single;
  readonly sessions: Sessions;
  readonly #forget: () => void;

  constructor(tools: ToolServer, text: ServerText, clock: Clock) {
    this.#tools = tools;
    this.#text = text;
    const build = (): Server => protocolServer(tools, text);
    this.#stateless = createMcpHandler(build, { legacy: "reject" });
    this.#listening = createMcpHandler(build, {
      legacy: "reject",
      maxSubscriptions: MAX_LISTENERS,
    });
    this.#single = legacyStatelessFallback(({ requestInfo }) =>
      this.#announcing(requestInfo?.headers.get("mcp-protocol-version") ?? undefined),
    );
    this.sessions = new Sessions(() => this.#announcing(), clock);
    this.#forget = tools.catalog.onGrown(() => this.#listening.notify.toolsChanged());
  }

  /** Answers a GET or DELETE, which belong to a session, or a POST with its message. */
  async answer(request: Request, message?: JSONRPCMessage): Promise<Answered> {
    const session = request.headers.get("mcp-session-id");
    if (message === undefined) return await this.sessions.answer(session ?? "", request);
    if (isUnversionedDiscover(request, message)) return await this.#discover(request, message);
    if (!(await isLegacyRequest(request, message))) {
      const handler = isMethod(message, "subscriptions/listen") ? this.#listening : this.#stateless;
      return { response: await handler.fetch(request, { parsedBody: message }) };
    }
    if (session !== null) return await this.sessions.answer(session, request, message);
    if (isInitializeRequest(message))
      return { response: await this.sessions.begin(request, message) };
    return { response: await this.#single(request, { parsedBody: message }) };
  }

  /** Ends the streams on which clients hear of changes; what runs goes on. */
  async endStreams(): Promise<void> {
    this.#forget();
    await this.#listening.close();
    this.sessions.endStreams();
  }

  /** Ends what runs, and the streams of all clients. */
  async close(): Promise<void> {
    await this.endStreams();
    await this.#stateless.close();
    await this.sessions.close();
  }

  /** A client uses this request to learn the versions, so it may name none, in the header and in the body. */
  async #discover(request: Request, message: JSONRPCMessage): Promise<Answered> {
    const headers = new Headers(request.headers);
    headers.set("mcp-protocol-version", STATELESS_VERSION);
    headers.set("mcp-method", "server/discover");
    const asked = new Request(request, { headers });
    return { response: await this.#stateless.fetch(asked, { parsedBody: withVersion(message) }) };
  }

  /** A server for one client of the older generation, which tells the client of new tools until it is closed. */
  #announcing(version?: string): Server {
    const server = protocolServer(this.#tools, this.#text, version);
    server.onclose = this.#tools.catalog.onGrown((caller) => {
      if (caller?.server === server) caller.announce();
      else void server.sendToolListChanged();
    });
    return server;
  }
}

function isUnversionedDiscover(request: Request, message: JSONRPCMessage): boolean {
  return (
    request.headers.get("mcp-protocol-version") !== STATELESS_VERSION &&
    isMethod(message, "server/discover") &&
    message.params?.["_meta"] === undefined
  );
}

function isMethod(message: JSONRPCMessage, method: string): message is JSONRPCRequest {
  return "method" in message && "id" in message && message.method === method;
}
