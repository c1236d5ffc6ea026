import type { H3Event } from "h3";
import { NeedsWorker } from "../../base/budget.ts";
import { DEFAULT_BODY_BYTES } from "../../contract/limits.ts";
import { FENCE_HEADER, type Input, pageReachOf, type Route } from "../../contract/route.ts";
import { Nothing } from "../../contract/shape.ts";
import type { Deps, Principal, UngatedDeps } from "../../ops/deps.ts";
import { underLease } from "../../ops/leases/gate.ts";
import type { App } from "../app.ts";
import { bind, bindHandler, inSpokeQueue } from "../bind.ts";
import { jsonBytes, jsonReply } from "../replies/reply.ts";
import { requireJson } from "../requests/body.ts";
import { asCaller } from "../requests/caller.ts";
import { incomingOf } from "../requests/event.ts";
import { type Incoming, incomingFromBytes } from "../requests/incoming.ts";
import { parserOf } from "../requests/parse.ts";
import type { HeavyWrite } from "./ops.ts";
import type { WriteWorker } from "./write-worker.ts";

/** A request with a larger body is parsed in the write worker. */
const LARGE_BYTES = 64 * 1024;

/** Called with the parameters in the path once the operation has succeeded, wherever it ran. */
type After = (params: Readonly<Record<string, string>>) => Promise<void>;

/**
 * Adds a route for an operation that usually writes little. The operation runs on the daemon's own thread. If it throws
 * `NeedsWorker`, it has committed nothing, and it runs again in the write worker.
 */
export function bindHeavyWrite(
  app: App,
  deps: UngatedDeps,
  writeWorker: WriteWorker | undefined,
  { route, run, headers: headersOf }: HeavyWrite,
  after: After = async () => undefined,
): void {
  const op = async (opDeps: Deps, who: Principal, input: Input<Route>): Promise<unknown> =>
    await run(opDeps, who, input as never);
  const headersFor = (output: unknown) => headersOf?.(output as never) ?? {};
  if (writeWorker === undefined) {
    const whole = async (opDeps: Deps, who: Principal, input: Input<Route>, event: H3Event) => {
      return await inSpokeQueue(app, route, event, async () => {
        const output = await op(opDeps, who, input);
        await after(event.context.params ?? {});
        return output;
      });
    };
    return bind(app, deps, route, whole, { headers: headersFor });
  }
  const parse = parserOf(route);
  const { maxBodyBytes = DEFAULT_BODY_BYTES } = route;
  const fenced = route.fenced !== undefined;
  bindHandler(app, route, async (event) => {
    const who = await app.host.authenticate(event, route.access, pageReachOf(route));
    const incoming = incomingOf(event);
    const params = event.context.params ?? {};
    const fence = fenced ? incoming.header(FENCE_HEADER) : undefined;
    const body = await bodyOf(route, incoming, maxBodyBytes);
    return await inSpokeQueue(app, route, event, async () => {
      if (body.byteLength <= LARGE_BYTES) {
        const known = incomingFromBytes(incoming, body);
        const input = asCaller(route, who, await parse(known, params));
        try {
          const opDeps = underLease({ ...deps, smallWorkOnly: true }, who, fence);
          const output = await op(opDeps, who, input);
          await after(params);
          return jsonReply(route.status, output, headersFor(output));
        } catch (error) {
          if (!(error instanceof NeedsWorker)) throw error;
        }
      }
      const { url } = incoming;
      const headers = sentHeaders(route, incoming);
      const request = { route: route.id, who, url, params, headers, fence };
      const answer = await writeWorker.run({ ...request, body: ownBytes(body) });
      await after(params);
      // Only the answers of a few routes, which are short, are read here.
      const more = headersOf === undefined ? {} : headersFor(JSON.parse(textOf(answer)));
      return jsonBytes(route.status, answer, more);
    });
  });
}

async function bodyOf(route: Route, incoming: Incoming, maxBytes: number): Promise<Buffer> {
  if (route.body === Nothing || !incoming.hasBody) return Buffer.alloc(0);
  requireJson(incoming);
  return await incoming.read(maxBytes);
}

/** Returns bytes that can be transferred to a thread. A small buffer shares its memory with others, so it is copied. */
function ownBytes(bytes: Buffer): Uint8Array {
  return bytes.byteLength > LARGE_BYTES && bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : new Uint8Array(bytes);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sentHeaders(route: Route, incoming: Incoming): Readonly<Record<string, string>> {
  const read = route.headers === Nothing ? [] : Object.keys(route.headers().shape);
  const named = ["content-type", "content-encoding", ...read].flatMap((name) => {
    const value = incoming.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}
