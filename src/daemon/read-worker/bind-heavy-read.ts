import type { H3Event } from "h3";
import { Budget, NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { Input, Route } from "../../contract/route.ts";
import type { Principal, ReadDeps, UngatedDeps } from "../../ops/deps.ts";
import { hasStreamedRows } from "../../ops/streamed-rows.ts";
import { Tagged } from "../../ops/tagged.ts";
import { WrittenJson } from "../../ops/written-json.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { jsonBytes, jsonParts, jsonReply, jsonStream, Reply } from "../replies/reply.ts";
import { goneOf } from "../requests/event.ts";
import type { HeavyRead } from "./ops.ts";
import type { ReadWorker } from "./read-worker.ts";

/** The most bytes that a request may read on the daemon's own thread: a few milliseconds of work. */
const LITTLE_BYTES = 3 * 1024 * 1024;

/** Adds to the parsed input what the operation needs to know about the daemon. */
export type Completed = (
  event: H3Event,
  who: Principal,
  input: Input<Route>,
) => Promise<Input<Route>>;

const asParsed: Completed = async (_event, _who, input) => input;

/**
 * Adds a route for an operation that usually reads little. The operation runs on the daemon's own thread. Once it has
 * read more than `LITTLE_BYTES`, it starts again in the read worker, if there is one.
 */
export function bindHeavyRead(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  { route, run, headers }: HeavyRead,
  completed: Completed = asParsed,
): void {
  const runHere = async (
    readDeps: ReadDeps,
    who: Principal,
    input: Input<Route>,
  ): Promise<object> => {
    const output = await run(readDeps, who, input as never);
    if (output instanceof Tagged) return taggedReply(route.status, output);
    invariant(!hasStreamedRows(output), "a reading that does not stream answers at once");
    return output;
  };
  const options = { headers: () => headers };
  if (readWorker === undefined)
    return bind(
      app,
      deps,
      route,
      async (readDeps, who, input, event) =>
        await runHere(readDeps, who, await completed(event, who, input)),
      options,
    );
  bind(
    app,
    deps,
    route,
    async (readDeps, who, parsed, event) => {
      const input = await completed(event, who, parsed);
      const budget = new Budget(LITTLE_BYTES);
      const { store } = readDeps;
      const limited: ReadDeps["store"] = {
        read: async (work) => await store.read(work, budget),
        leaseNow: async () => await store.leaseNow(),
      };
      try {
        return await runHere({ ...readDeps, store: limited, smallWorkOnly: true }, who, input);
      } catch (error) {
        if (!(error instanceof NeedsWorker)) throw error;
        // Leave out the header If-None-Match: the daemon's thread has already compared the ETag, so the worker must
        // answer in full.
        const request = route.notModified === true ? { ...input, headers: {} } : input;
        const answer = await readWorker.run(route.id, who, request, goneOf(event));
        const { whole } = answer;
        const all = { ...headers, ...answer.headers };
        return whole === undefined
          ? jsonStream(route.status, answer.pieces(), all)
          : jsonBytes(route.status, whole, all);
      }
    },
    options,
  );
}

function taggedReply(status: number, { tag, body }: Tagged<unknown>): Reply {
  const headers = { etag: tag };
  if (body === undefined) return new Reply(304, headers);
  if (!(body instanceof WrittenJson)) return jsonReply(status, body, headers);
  return jsonParts(status, body.parts, headers);
}
