import type { H3Event } from "h3";
import { Budget, NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { Input, Route } from "../../contract/route.ts";
import type { Principal, ReadDeps, UngatedDeps } from "../../ops/deps.ts";
import type { SemanticOutcome } from "../../ops/search/semantic.ts";
import { hasStreamedRows } from "../../ops/streamed-rows.ts";
import { Tagged } from "../../ops/tagged.ts";
import { WrittenJson } from "../../ops/written-json.ts";
import type { App } from "../app.ts";
import { bind, inSpokeQueue } from "../bind.ts";
import { jsonBytes, jsonParts, jsonReply, jsonStream, Reply } from "../replies/reply.ts";
import { goneOf } from "../requests/event.ts";
import type { HeavyRead } from "./ops.ts";
import type { ReadWorker } from "./read-worker.ts";

/** The most bytes that a request may read on the daemon's own thread: a few milliseconds of work. */
export const LITTLE_BYTES = 3 * 1024 * 1024;

interface Completed {
  readonly input: Input<Route>;
  /** Headers for the answer. */
  readonly headers?: HeavyRead["headers"];
  /** What a search by meaning finds, while the operation runs. The read worker gets the outcome with its input. */
  readonly meant?: Promise<SemanticOutcome>;
}

/**
 * Adds to the parsed input what only the daemon's thread can provide, such as the result of a write that must come
 * first.
 */
export type Complete = (event: H3Event, who: Principal, input: Input<Route>) => Promise<Completed>;

const asParsed: Complete = async (_event, _who, input) => ({ input });

/**
 * Adds a route for an operation that usually reads little. The operation runs on the daemon's own thread. Once it has
 * read more than `LITTLE_BYTES`, it starts again in the read worker, if there is one.
 */
export function bindHeavyRead(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  { route, run, headers }: HeavyRead,
  complete: Complete = asParsed,
): void {
  const runHere = async (
    readDeps: ReadDeps,
    who: Principal,
    { input, headers: more, meant }: Completed,
  ): Promise<object> => {
    const output = await run({ ...readDeps, meant }, who, input as never);
    if (output instanceof Tagged) return taggedReply(route.status, output);
    invariant(!hasStreamedRows(output), "a reading that does not stream answers at once");
    return more === undefined ? output : jsonReply(route.status, output, { ...headers, ...more });
  };
  const answer = async (
    readDeps: ReadDeps,
    who: Principal,
    parsed: Input<Route>,
    event: H3Event,
  ): Promise<object> => {
    const completed = await complete(event, who, parsed);
    if (readWorker === undefined) return await runHere(readDeps, who, completed);
    const budget = new Budget(LITTLE_BYTES);
    const { store } = readDeps;
    const limited: ReadDeps["store"] = {
      read: async (work) => await store.read(work, budget),
      leaseNow: async () => await store.leaseNow(),
    };
    try {
      return await runHere({ ...readDeps, store: limited, smallWorkOnly: true }, who, completed);
    } catch (error) {
      if (!(error instanceof NeedsWorker)) throw error;
      // Leave out the header If-None-Match: the daemon's thread has already compared the ETag, so the worker must
      // answer in full.
      const { input, headers: more, meant } = completed;
      const request = {
        ...input,
        ...(route.notModified === true ? { headers: {} } : {}),
        ...(meant === undefined ? {} : { meant: await meant }),
      };
      const answer = await readWorker.run(route.id, who, request, goneOf(event));
      const { whole } = answer;
      const all = { ...headers, ...more, ...answer.headers };
      return whole === undefined
        ? jsonStream(route.status, answer.pieces(), all)
        : jsonBytes(route.status, whole, all);
    }
  };
  bind(
    app,
    deps,
    route,
    async (readDeps, who, input, event) =>
      await inSpokeQueue(app, route, event, async () => await answer(readDeps, who, input, event)),
    { headers: () => headers },
  );
}

function taggedReply(status: number, { tag, body }: Tagged<unknown>): Reply {
  const headers = { etag: tag };
  if (body === undefined) return new Reply(304, headers);
  if (!(body instanceof WrittenJson)) return jsonReply(status, body, headers);
  return jsonParts(status, body.parts, headers);
}
