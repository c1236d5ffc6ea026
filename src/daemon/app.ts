import { H3, type H3Event, HTTPResponse, toResponse } from "h3";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { invalid, SvcError } from "../contract/errors.ts";
import type { Method } from "../contract/route.ts";
import type { Authenticate } from "./access/authenticate.ts";
import type { Browser } from "./access/browser.ts";
import { type Door, refuseOtherPages } from "./access/door.ts";
import { GUARD_HEADERS, HSTS_HEADERS } from "./page/headers.ts";
import { forPages } from "./replies/page-headers.ts";
import { dropPieces, streamOf } from "./replies/pieces.ts";
import {
  compressed,
  errorReply,
  headerList,
  internalReply,
  isStream,
  joined,
  Reply,
} from "./replies/reply.ts";
import { unreadInTime } from "./replies/unread.ts";
import { type Connection, headerOf, receivedBy, SocketEvent } from "./requests/event.ts";
import { namedHost } from "./requests/host.ts";
import { ClientGone } from "./requests/incoming.ts";
import { isLoopbackHost } from "./requests/loopback-host.ts";
import { requireOneValue } from "./requests/one-value.ts";
import { SpokeQueue } from "./requests/spoke-queue.ts";
import { PiecesSink } from "./stream/sinks.ts";

/** Returns a `Reply`, or any value that h3 can send: text, bytes, a `Response`, a stream, a file. */
export type Handler = (event: H3Event) => unknown;

export interface AppHost {
  readonly clock: Clock;
  readonly log: Log;
  /** The log of mistakes of clients. */
  readonly refusals: Pick<Log, "info">;
  readonly authenticate: Authenticate;
  /** Absent if the daemon serves no pages. */
  readonly browser?: Browser;
  /** True if the caller may see full paths of this machine. Without this function, everybody may. */
  seesPaths?(event: H3Event): boolean | Promise<boolean>;
  /** Resolves when the refusal of a wrong token may be sent. Without this function it is sent at once. */
  delayRefusal?(event: SocketEvent): Promise<void>;
  stopping(): boolean;
  /**
   * Marks the start of a client's request; the returned function marks its end. Idle shutdown waits for the end of all
   * marked requests (docs/contract/command-line.md#47-idle-shutdown).
   */
  beginForeground(): () => void;
}

export interface App {
  readonly host: AppHost;
  readonly spokes: SpokeQueue;
  /** The h3 app with all routes; another h3 or Nitro server can mount it. */
  readonly h3: H3;
  /** Adds a route. `door` decides how the route treats requests from pages of other origins (`access/door.ts`). */
  on(method: Method, path: string, handler: Handler, door?: Door): void;
  /** Adds the routes now. Without this call, the first request adds them. */
  prepare(): void;
  handle(connection: Connection): Promise<Reply>;
  fetch(request: Request): Promise<Response>;
}

export function createApp(host: AppHost, addRoutes: (app: App) => void = () => undefined): App {
  // svc's own handlers refuse broken encodings and log what fails, so h3 must do neither.
  const h3 = new H3({ silent: true, allowMalformedURL: true });
  const handlersByPath = new Map<string, Map<string, Handler>>();
  h3.all("/**", (event) =>
    answer(host, event, "api", () => {
      throw new SvcError("not_found");
    }),
  );

  // The handlers of one path share a router entry, because adding an entry takes about 20 microseconds.
  const on = (method: Method, path: string, handler: Handler, door: Door = "api"): void => {
    const known = handlersByPath.get(path);
    const handlers = known ?? new Map<string, Handler>();
    handlersByPath.set(path, handlers.set(method, handler));
    if (known !== undefined) return;
    h3.all(path, (event) => {
      const { method } = event.req;
      const handler = handlers.get(method === "HEAD" ? "GET" : method) ?? otherMethod(handlers);
      return answer(host, event, door, handler);
    });
  };

  let prepared = false;
  const prepare = (): void => {
    if (prepared) return;
    prepared = true;
    addRoutes(app);
  };

  const app: App = {
    host,
    spokes: new SpokeQueue(host.clock),
    on,
    prepare,
    get h3() {
      prepare();
      return h3;
    },
    handle: async (connection) => {
      try {
        prepare();
        const event = eventOf(connection);
        const answered = await h3.handler(event);
        if (answered instanceof Reply) return answered;
        return await replyOf(await toResponse(answered, event, h3.config));
      } catch (error) {
        return failure(host, connection.req, error);
      }
    },
    fetch: async (request) => {
      prepare();
      return await h3.fetch(request);
    },
  };
  return app;
}

/**
 * Applies the rules that hold for all routes. They are not hooks of the h3 app, because hooks do not run if another
 * server mounts the app.
 */
async function answer(
  host: AppHost,
  event: H3Event,
  door: Door,
  handler: Handler,
): Promise<unknown> {
  let answered: unknown;
  try {
    admit(host, event, door);
    answered = await handler(event);
  } catch (error) {
    answered = failure(host, { method: event.req.method, url: event.url.pathname }, error);
    if (event instanceof SocketEvent && isWrongToken(error)) await host.delayRefusal?.(event);
  }
  if (!(answered instanceof Reply)) return answered;
  const small = await compressed(answered, headerOf(event, "accept-encoding"));
  const shown =
    door === "shell"
      ? small.with(small.body, GUARD_HEADERS)
      : forPages(small, event, door, host.browser);
  if (!(event instanceof SocketEvent)) return await webAnswer(host, shown, event.req.method);
  return event.connection.listener.hsts ? shown.with(shown.body, HSTS_HEADERS) : shown;
}

/**
 * Refuses requests for reasons that hold for every route (docs/contract/http-api.md#11-transport-and-formats and
 * docs/contract/http-api.md#13-error-codes).
 */
function admit(host: AppHost, event: H3Event, door: Door): void {
  if (host.stopping()) throw new SvcError("daemon_stopping");
  if (!isAddressedHere(event)) throw new SvcError("host_invalid");
  const received = receivedBy(event);
  if (received !== undefined) requireOneValue(received);
  refuseOtherPages(event, door, host.browser?.sessions);
}

/**
 * True if the `Host` header names this daemon. This guards against DNS rebinding: another site can make its host name
 * resolve to this machine, so that its pages can call the daemon. Their requests carry the host name of the site (in
 * HTTP/2 as `:authority`). Only a request made inside this process may have no host name.
 */
function isAddressedHere(event: H3Event): boolean {
  const received = receivedBy(event);
  const named = received === undefined ? headerOf(event, "host") : namedHost(received);
  if (!(event instanceof SocketEvent))
    return (named === undefined && received === undefined) || isLoopbackHost(named);
  const { kind, local, allowedHosts } = event.connection.listener;
  if (kind === "socket" || allowedHosts.has(named ?? "")) return true;
  // A tunnel may forward another port of this machine to this one, so any loopback name with any port is accepted. DNS
  // rebinding cannot use a loopback name, because such a name always means the browser's own machine.
  return kind === "shared-tcp" && local && isLoopbackHost(named);
}

function eventOf(connection: Connection): SocketEvent {
  try {
    return new SocketEvent(connection);
  } catch (cause) {
    throw invalid("the request target is not a path", undefined, cause);
  }
}

async function webAnswer(
  host: AppHost,
  { status, headers: fields, body }: Reply,
  method: string,
): Promise<HTTPResponse> {
  const headers = headerList(fields);
  if (status === 304) return new HTTPResponse(null, { status, headers });
  if (!isStream(body)) return new HTTPResponse(joined(body), { status, headers });
  if (method !== "HEAD") {
    // An event stream has no time limit: it may be silent for long, and `EventHub` disconnects clients that do not
    // read.
    const stream =
      body instanceof PiecesSink
        ? streamOf(body)
        : streamOf(body, async (reading, ended) => await unreadInTime(host, reading, ended));
    return new HTTPResponse(stream, { status, headers });
  }
  await dropPieces(body);
  return new HTTPResponse(null, { status, headers });
}

async function replyOf({ status, headers, body }: Response): Promise<Reply> {
  const fields = Object.fromEntries(headers);
  return body === null ? new Reply(status, fields) : new Reply(status, fields, piecesOf(body));
}

async function* piecesOf(body: ReadableStream<Uint8Array>) {
  yield* body;
}

function otherMethod(handlers: ReadonlyMap<string, Handler>): Handler {
  const allow = [...handlers.keys()].join(", ");
  return () => errorReply(new SvcError("method_not_allowed", { allow }), { allow });
}

/** The longest path in a log entry, in characters. */
const MAX_PATH = 200;

function failure(
  { log, refusals }: Pick<AppHost, "log" | "refusals">,
  {
    method,
    url = "/",
  }: { readonly method?: string | undefined; readonly url?: string | undefined },
  error: unknown,
): Reply {
  if (error instanceof ClientGone) return new Reply(CLIENT_CLOSED, {});
  // Log only the path, because query values may be search texts or names.
  const request = { method, path: url.split("?", 1)[0]?.slice(0, MAX_PATH) };
  if (error instanceof SvcError) {
    const fields = { ...request, code: error.code };
    if (error.status >= 500 && !EXPECTED_CODES.has(error.code))
      log.error("request.failed", { ...fields, error });
    else refusals.info("request.refused", fields);
    return errorReply(error);
  }
  log.error("request.failed", { ...request, error });
  return internalReply();
}

function isWrongToken(error: unknown): boolean {
  return error instanceof SvcError && WRONG_TOKEN.has(error.code);
}

const WRONG_TOKEN: ReadonlySet<ErrorCode> = new Set([
  "auth_invalid",
  "token_invalid",
  "login_invalid",
]);

/** The client closed the connection. Only the log shows this status (docs/contract/http-api.md#12-error-body). */
const CLIENT_CLOSED = 499;

/** Codes with a 5xx status that are no bugs; they are logged like refusals. */
const EXPECTED_CODES: ReadonlySet<ErrorCode> = new Set([
  "daemon_stopping",
  "busy",
  "profile_unsupported",
]);
