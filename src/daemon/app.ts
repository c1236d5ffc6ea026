import { H3, H3Event } from "h3";
import type { Log } from "../base/log.ts";
import { type ErrorCode, SvcError } from "../contract/errors.ts";
import type { Method } from "../contract/route.ts";
import { isLoopbackHost } from "./host.ts";
import { ClientGone, type Incoming, incomingFromRequest } from "./incoming.ts";
import { type Body, compressed, errorReply, internalReply, isStream, Reply } from "./reply.ts";

export type Handler = (
  incoming: Incoming,
  params: Readonly<Record<string, string>>,
) => Promise<Reply> | Reply;

/** What the app asks of the daemon around it. */
export interface AppHost {
  readonly log: Log;
  /** Whether new requests are refused because the daemon is on its way out. */
  stopping(): boolean;
  /** A client's request begins; the result ends it. Idle shutdown waits for all of them (facts cli-and-config 4.7). */
  beginForeground(): () => void;
}

export interface App {
  readonly host: AppHost;
  on(method: Method, path: string, handler: Handler): void;
  /** Adds the routes; the first request does it otherwise. */
  prepare(): void;
  handle(incoming: Incoming): Promise<Reply>;
  /** The same without a socket, for tests and embedding. */
  fetch(request: Request): Promise<Response>;
}

/** A process of its own has nothing around it: it never stops and counts nobody. */
export function detachedHost(log: Log): AppHost {
  return { log, stopping: () => false, beginForeground: () => () => undefined };
}

export function createApp(host: AppHost, addRoutes: (app: App) => void = () => undefined): App {
  const router = new H3();
  const handlersByPath = new Map<string, Map<string, Handler>>();
  router.all("/**", () => errorReply(new SvcError("not_found")));

  // One entry of the router for each path: taking one in costs it some twenty microseconds.
  const on = (method: Method, path: string, handler: Handler): void => {
    const known = handlersByPath.get(path);
    const handlers = known ?? new Map<string, Handler>();
    handlersByPath.set(path, handlers.set(method, handler));
    if (known !== undefined) return;
    router.all(path, (event) => {
      const asked = handlers.get(event.req.method);
      if (asked === undefined) return otherMethod([...handlers.keys()].join(", "));
      return asked(incomingOf(event), event.context.params ?? {});
    });
  };

  let prepared = false;
  const prepare = (): void => {
    if (prepared) return;
    prepared = true;
    addRoutes(app);
  };

  const handle = async (incoming: Incoming): Promise<Reply> => {
    let reply: Reply;
    try {
      prepare();
      admit(host, incoming);
      reply = await dispatch(router, incoming);
    } catch (error) {
      reply = failure(host.log, incoming, error);
    }
    return await compressed(reply, incoming.header("accept-encoding"));
  };

  const app: App = {
    host,
    on,
    prepare,
    handle,
    fetch: async (request) => {
      const { status, headers, body } = await handle(incomingFromRequest(request));
      const empty = status === 204 || request.method === "HEAD";
      return new Response(empty ? null : await bytesOf(body), { status, headers });
    },
  };
  return app;
}

async function bytesOf(body: Body): Promise<string | Uint8Array<ArrayBuffer>> {
  if (typeof body === "string") return body;
  if (!isStream(body)) return new Uint8Array(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Refusals that come before any route: what an ordinary listener never answers (facts http-api 1.1, 1.3). */
function admit(host: AppHost, incoming: Incoming): void {
  if (host.stopping()) throw new SvcError("daemon_stopping");
  // A page of a foreign site can reach a loopback port by a name that resolves to it; its requests carry that name.
  if (incoming.listener === "tcp" && !isLoopbackHost(incoming.header("host")))
    throw new SvcError("host_invalid");
  if (incoming.header("origin") !== undefined) throw new SvcError("origin_forbidden");
}

/** HEAD is GET without the body; node:http leaves the body out by itself. */
function dispatch(router: H3, incoming: Incoming): Promise<Reply> {
  return replyOf(router.handler(eventOf(router, incoming)));
}

/**
 * h3 sees only what its router reads, method and URL: building a Fetch request for it would load Node's Fetch classes,
 * a quarter of the daemon's start. Its events and results are ours, so the narrowing below is by construction.
 */
function eventOf(router: H3, incoming: Incoming): H3Event {
  const method = incoming.method === "HEAD" ? "GET" : incoming.method;
  const request = { method, url: incoming.url, incoming };
  try {
    return new H3Event(
      request as unknown as ConstructorParameters<typeof H3Event>[0],
      undefined,
      router,
    );
  } catch (cause) {
    throw new SvcError("validation", {}, { message: "the request target is not a path", cause });
  }
}

function incomingOf(event: H3Event): Incoming {
  return (event.req as unknown as { readonly incoming: Incoming }).incoming;
}

async function replyOf(result: unknown): Promise<Reply> {
  const reply = await result;
  if (!(reply instanceof Reply))
    throw new TypeError("a route answered something that is not a Reply");
  return reply;
}

function otherMethod(allow: string): Reply {
  return errorReply(new SvcError("method_not_allowed", { allow }), { allow });
}

function failure(log: Log, incoming: Incoming, error: unknown): Reply {
  if (error instanceof ClientGone) return new Reply(CLIENT_CLOSED, {});
  if (error instanceof SvcError) {
    const fields = { method: incoming.method, path: pathOf(incoming), code: error.code };
    if (error.status >= 500 && !EXPECTED.has(error.code))
      log.error("request.failed", { ...fields, error });
    else log.info("request.refused", fields);
    return errorReply(error);
  }
  log.error("request.failed", { method: incoming.method, path: pathOf(incoming), error });
  return internalReply();
}

/** The client hung up: for the log only, nobody reads it (facts http-api 1.2). */
const CLIENT_CLOSED = 499;

/** 5xx that are no fault of ours. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set(["daemon_stopping", "busy"]);

/** Query values can be search texts and names: the log gets the path alone. */
function pathOf(incoming: Incoming): string {
  return incoming.url.split("?", 1)[0] ?? "";
}
