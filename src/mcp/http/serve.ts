import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { FailedBearers } from "../../base/failed-bearers.ts";
import type { HostPort } from "../../config/addresses.ts";
import { invalid } from "../../contract/errors.ts";
import { DRAIN_MS } from "../drain.ts";
import { readMessage } from "../protocol/message.ts";
import type { ServerText } from "../protocol/server.ts";
import type { ToolServer } from "../tool-server.ts";
import { Answers } from "./answer.ts";
import { goneOf, readBody, send, toRequest } from "./exchange.ts";
import { checkForm, Front, type FrontRules, WrongToken } from "./front.ts";
import { Refusal, unreadable } from "./refusal.ts";

export interface ConnectionLimits {
  /** The maximum time for the headers of a request. */
  readonly headerMs: number;
  /** A connection is closed when it has had no request for this long. */
  readonly idleMs: number;
  readonly maxConnections: number;
}

/**
 * The limits of docs/contract/tools.md#24-over-http. Tests use shorter times, because Node measures them by the
 * system's clock.
 */
const LIMITS: ConnectionLimits = { headerMs: 10_000, idleMs: 120_000, maxConnections: 512 };

/** The maximum time for a whole request, in case the limits of its header and its body do not end it. */
const REQUEST_MS = 60_000;
/** The maximum number of delayed refusals of wrong tokens: a quarter of the connections. */
const MAX_DELAYED = 128;
/** How often idle sessions are ended. */
const LOOK_MS = 60_000;

export interface HttpOptions extends FrontRules {
  readonly place: HostPort;
  readonly clock: Clock;
  /** Called with one line when the server listens. */
  readonly say: (line: string) => void;
  /** Called with each error that was not caused by a client. */
  readonly failed: (error: unknown) => void;
  readonly limits?: ConnectionLimits;
}

/**
 * Serves the tools over HTTP until the signal is aborted. After that, it waits for the answers to running requests, for
 * at most `DRAIN_MS`.
 */
export async function serveHttp(
  tools: ToolServer,
  text: ServerText,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<void> {
  const { authority, clock, say, limits = LIMITS } = options;
  const site = new Site(new Answers(tools, text, clock), options);
  const server = createServer(
    {
      headersTimeout: limits.headerMs,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: 1000,
    },
    (req, res) => void site.handle(req, res),
  );
  boundConnections(server, limits);
  await listen(server, options);
  say(`listening on http://${authority}/mcp`);
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    await site.answers.sessions.endIdle();
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await site.drain();
  server.closeAllConnections();
  await closed;
}

/**
 * Limits the open connections. When the limit is reached, connections without a request are closed, so that they do not
 * keep other clients out.
 */
function boundConnections(server: Server, { maxConnections }: ConnectionLimits): void {
  server.maxConnections = maxConnections;
  let open = 0;
  server.on("connection", (socket) => {
    open++;
    socket.once("close", () => open--);
    if (open >= maxConnections) server.closeIdleConnections();
  });
}

async function listen(server: Server, { place, authority }: HttpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `cannot listen on ${authority}: the address is not this machine's or the port is taken`;
      reject(invalid(message, "choose another address or port with --http", cause));
    });
    server.listen(place, resolve);
  });
}

class Site {
  readonly answers: Answers;
  readonly #front: Front;
  readonly #options: HttpOptions;
  readonly #wrongTokens: FailedBearers;
  readonly #running = new Set<ServerResponse>();
  readonly #ended = new Set<() => void>();
  #isStopping = false;

  constructor(answers: Answers, options: HttpOptions) {
    this.answers = answers;
    this.#front = new Front(options);
    this.#options = options;
    this.#wrongTokens = new FailedBearers(options.clock, MAX_DELAYED);
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.#running.add(res);
    try {
      await this.#handle(req, res);
    } catch (error) {
      await this.#refuse(error, res);
    } finally {
      this.#end(res);
    }
  }

  /**
   * Ends the streams, and waits until all answers are written, for at most `DRAIN_MS`. Then ends the calls that still
   * run.
   */
  async drain(): Promise<void> {
    const { clock } = this.#options;
    this.#isStopping = true;
    this.#wrongTokens.stop();
    await this.answers.endStreams();
    const late = new AbortController();
    const ended = clock.sleep(DRAIN_MS, late.signal);
    await Promise.race([ended, this.#untilIdle()]);
    late.abort();
    await this.answers.close();
  }

  async #untilIdle(): Promise<void> {
    while (this.#running.size > 0) await new Promise<void>((resolve) => this.#ended.add(resolve));
  }

  #end(res: ServerResponse): void {
    this.#running.delete(res);
    for (const tell of this.#ended) tell();
    this.#ended.clear();
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.#refuseIfStopping();
    this.#front.checkHost(req);
    const path = pathOf(req);
    if (path === "/healthz") return await this.#answerHealth(req, res);
    if (path !== "/mcp") throw new Refusal(404, "there is only /mcp and /healthz");
    this.#front.checkCall(req);
    const isPost = req.method === "POST";
    if (isPost) checkForm(req);
    const read = isPost ? readMessage(await readBody(req, this.#options.clock)) : undefined;
    if (read !== undefined && "code" in read) throw unreadable(read);
    this.#refuseIfStopping();
    const { response, done } = await this.answers.answer(toRequest(req, res), read);
    try {
      await send(response, res, this.#options.clock);
    } finally {
      done?.();
    }
  }

  #refuseIfStopping(): void {
    if (this.#isStopping) throw new Refusal(503, "the server stops", { Connection: "close" });
  }

  async #answerHealth(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== "GET" && req.method !== "HEAD")
      throw new Refusal(405, "send GET or HEAD", { Allow: "GET, HEAD" });
    const headers = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
    await send(new Response("ok\n", { headers }), res, this.#options.clock);
  }

  async #refuse(error: unknown, res: ServerResponse): Promise<void> {
    if (!(error instanceof Refusal)) this.#options.failed(error);
    if (error instanceof WrongToken)
      await this.#wrongTokens.delay(res.req.socket.remoteAddress ?? "", goneOf(res));
    if (res.headersSent) return void res.destroy();
    const refusal = error instanceof Refusal ? error : new Refusal(500, "internal error");
    await send(refusal.response(), res, this.#options.clock);
  }
}

/** The path of the target, which may be a whole URL. */
function pathOf({ url = "" }: IncomingMessage): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
}
