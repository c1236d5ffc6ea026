import type { H3Event } from "h3";
import { SvcError } from "../contract/errors.ts";
import { INSTANCE_HEADER } from "../contract/federation-transport.ts";
import { LOG_HEADER } from "../contract/log-mark.ts";
import {
  changesState,
  FENCE_HEADER,
  type Input,
  type Output,
  pageReachOf,
  type Route,
} from "../contract/route.ts";
import { Nothing } from "../contract/shape.ts";
import { BASE_PATH } from "../contract/version.ts";
import type { Deps, Principal, UngatedDeps } from "../ops/deps.ts";
import { underLease } from "../ops/leases/gate.ts";
import type { App, Handler } from "./app.ts";
import { endedBy } from "./replies/pieces.ts";
import { isStream, jsonReply, Reply } from "./replies/reply.ts";
import { requireJson } from "./requests/body.ts";
import { asCaller } from "./requests/caller.ts";
import { goneOf, headerOf, incomingOf } from "./requests/event.ts";
import type { Incoming } from "./requests/incoming.ts";
import { withSentIds } from "./requests/input.ts";
import { parserOf } from "./requests/parse.ts";

export interface BindOptions<T extends Route> {
  headers?(output: Output<T>): Readonly<Record<string, string>>;
}

/**
 * Adds a route that runs an operation. The handler checks access by `route.access` and parses params, query, headers
 * and body. If the credential has an actor, it replaces the actor that the request names.
 */
export function bind<T extends Route>(
  app: App,
  deps: UngatedDeps,
  route: T,
  op: (deps: Deps, who: Principal, input: Input<T>, event: H3Event) => Promise<Output<T> | Reply>,
  options: BindOptions<T> = {},
): void {
  const parse = parserOf(route);
  const { headers } = options;
  const writes = changesState(route);
  const run = async (event: H3Event): Promise<Reply> => {
    const incoming = incomingOf(event);
    const isSpoke = route.spokes !== undefined && incoming.header(SPOKE_HEADER) !== undefined;
    const right = isSpoke ? "enrollment" : route.access;
    const who = await app.host.authenticate(event, right, pageReachOf(route));
    const input = asCaller(route, who, await parse(incoming, event.context.params ?? {}));
    requireLocalFields(route, who, input);
    const opDeps = writes ? fencedDeps(deps, route, who, incoming, input) : deps;
    const log = await logHeaders(deps, route);
    const output = await op(opDeps, who, input, event);
    if (output instanceof Reply) return output.with(output.body, log);
    const named = { ...headers?.(output), ...log };
    if (route.status === 204) return new Reply(204, named);
    return jsonReply(route.status, output, named);
  };
  bindHandler(app, route, run);
}

const SPOKE_HEADER = INSTANCE_HEADER.toLowerCase();

/**
 * Returns the header that names the log, for answers with a cursor. The epoch is read before the operation. If the log
 * is replaced in between, the answer has the old epoch, so the reader is later told to load everything again.
 */
async function logHeaders({ store }: UngatedDeps, { responseHeaders }: Route) {
  if (responseHeaders?.[LOG_HEADER] === undefined) return {};
  const { epoch } = await store.readOne(async ({ events }) => await events.head());
  return { [LOG_HEADER.toLowerCase()]: epoch };
}

function requireLocalFields({ local }: Route, who: Principal, { body }: Input<Route>): void {
  if (who.kind !== "web_local" || typeof local !== "object") return;
  const [field] = Object.keys(body as object).filter((name) => !local.includes(name));
  if (field === undefined) return;
  const message = `a page that was opened without a token may not send ${field}`;
  throw new SvcError("web_local_operation_forbidden", { field }, { message });
}

function fencedDeps(
  deps: UngatedDeps,
  { fenced }: Route,
  who: Principal,
  incoming: Incoming,
  { params: { project_id, ref } }: Input<Route>,
): Deps {
  if (fenced === undefined) return underLease(deps, who, undefined);
  const path =
    typeof project_id === "number" && typeof ref === "string" ? { project_id, ref } : undefined;
  return underLease(deps, who, incoming.header(FENCE_HEADER), path);
}

/** Carries out the work of a request. If only spokes may call the route, the work waits for its turn (`SpokeQueue`). */
export async function inSpokeQueue<T>(
  app: Pick<App, "spokes">,
  { access }: Pick<Route, "access">,
  event: H3Event,
  work: () => Promise<T>,
): Promise<T> {
  return access === "enrollment" ? await app.spokes.run(goneOf(event), work) : await work();
}

export function bindHandler(app: App, route: Route, run: Run): void {
  app.on(
    route.method,
    BASE_PATH + h3Path(route.path),
    asForeground(app, route, namingSentIds(takingJson(route, run))),
  );
}

/**
 * Refuses a body that is not JSON, before any credential is checked
 * (docs/contract/network-and-access.md#32-the-order-of-checks, step 4). If the route has no body, a body is ignored.
 */
function takingJson({ body }: Route, run: Run): Run {
  if (body === Nothing) return run;
  return async (event) => {
    const incoming = incomingOf(event);
    if (incoming.hasBody) requireJson(incoming);
    return await run(event);
  };
}

function namingSentIds(run: Run): Run {
  return async (event) => {
    try {
      return await run(event);
    } catch (error) {
      if (error instanceof SvcError) throw withSentIds(error, event.context.params ?? {});
      throw error;
    }
  };
}

type Run = (event: H3Event) => Promise<Reply>;

/** h3 takes a colon for the beginning of a parameter unless it is escaped. */
function h3Path(path: string): string {
  return path.replaceAll(":", "\\:").replaceAll(/\{(\w+)\}/g, ":$1");
}

/**
 * Counts the request as activity for idle shutdown. Health, ping and instance count only with the keep-alive header
 * (docs/contract/http-api.md#32-health-and-projects).
 */
function asForeground(app: App, route: Route, run: Run): Handler {
  return async (event) => {
    if (route.observational === true && headerOf(event, KEEPALIVE_HEADER) !== "1")
      return await run(event);
    const end = app.host.beginForeground();
    let reply: Reply | undefined;
    try {
      reply = await run(event);
    } finally {
      if (reply === undefined || !isStream(reply.body)) end();
    }
    return isStream(reply.body) ? reply.with(endedBy(reply.body, end)) : reply;
  };
}

const KEEPALIVE_HEADER = "x-svc-idle-keepalive";
