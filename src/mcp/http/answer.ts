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

/** An answer, and a function to call when it has been written or the client has disconnected. */
export interface HttpAnswer {
  readonly response: Response;
  readonly done?: () => void;
}

/** At most this many clients of the protocol version 2026-07-28 can listen for changes. */
const MAX_LISTENERS = 256;

/**
 * Answers the requests of newer clients, which name the protocol version in each request, and of older clients, which
 * do not. All of them see the same tools, and must be notified when tools are added. Newer clients are notified over
 * `subscriptions/listen`. Older clients are notified together with the answer to their own call, or over the event
 * stream of their session (docs/contract/tools.md#24-over-http).
 */
export class Answers {
  readonly #tools: ToolServer;
  readonly #text: ServerText;
  readonly #stateless;
  /**
   * Handles `subscriptions/listen`. It is a handler of its own, because these streams are ended when the server begins
   * to stop, while running calls continue.
   */
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
      this.#serverFor(requestInfo?.headers.get("mcp-protocol-version") ?? undefined),
    );
    this.sessions = new Sessions(() => this.#serverFor(), clock);
    this.#forget = tools.catalog.onGrown(() => this.#listening.notify.toolsChanged());
  }

  /**
   * Answers a request. `message` is the message in the body of a POST. A GET or DELETE has no message and belongs to a
   * session.
   */
  async answer(request: Request, message?: JSONRPCMessage): Promise<HttpAnswer> {
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

  /** Ends the streams over which clients are notified of changes. Running calls continue. */
  async endStreams(): Promise<void> {
    this.#forget();
    await this.#listening.close();
    this.sessions.endStreams();
  }

  /** Ends all running calls, and the streams of all clients. */
  async close(): Promise<void> {
    await this.endStreams();
    await this.#stateless.close();
    await this.sessions.close();
  }

  /**
   * Answers `server/discover` if the request names no protocol version: a client sends it to learn the versions. The
   * missing version is added to the header and the body.
   */
  async #discover(request: Request, message: JSONRPCMessage): Promise<HttpAnswer> {
    const headers = new Headers(request.headers);
    headers.set("mcp-protocol-version", STATELESS_VERSION);
    headers.set("mcp-method", "server/discover");
    const discovery = new Request(request, { headers });
    return {
      response: await this.#stateless.fetch(discovery, { parsedBody: withVersion(message) }),
    };
  }

  /** Makes a server for one older client. Until the server is closed, it notifies the client of new tools. */
  #serverFor(version?: string): Server {
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
