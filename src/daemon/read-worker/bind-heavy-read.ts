import { Budget, NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { Input, Route } from "../../contract/route.ts";
import type { Principal, ReadDeps, UngatedDeps } from "../../ops/deps.ts";
import { hasStreamedRows } from "../../ops/streamed-rows.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { goneOf } from "../event.ts";
import { jsonBytes, jsonStream } from "../reply.ts";
import type { HeavyRead } from "./ops.ts";
import type { ReadWorker } from "./read-worker.ts";

/** How much a request may read on the daemon's own thread: a few milliseconds of work. */
const LITTLE_BYTES = 3 * 1024 * 1024;

/**
 * Adds a route for an operation that usually reads little: it runs on the daemon's own thread. Once it has read more
 * than some megabytes, it starts again in the read worker, if there is one.
 */
export function bindHeavyRead(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  { route, run, headers }: HeavyRead,
): void {
  const here = async (given: ReadDeps, who: Principal, input: Input<Route>): Promise<object> => {
    const output = await run(given, who, input as never);
    invariant(!hasStreamedRows(output), "a reading that does not stream answers at once");
    return output;
  };
  const options = { headers: () => headers };
  if (readWorker === undefined) return bind(app, deps, route, here, options);
  bind(
    app,
    deps,
    route,
    async (given, who, input, event) => {
      const budget = new Budget(LITTLE_BYTES);
      const { store } = given;
      const limited: ReadDeps["store"] = {
        read: async (work) => await store.read(work, budget),
        leaseNow: async () => await store.leaseNow(),
      };
      try {
        return await here({ ...given, store: limited, smallWorkOnly: true }, who, input);
      } catch (error) {
        if (!(error instanceof NeedsWorker)) throw error;
        const answer = await readWorker.run(route.id, who, input, goneOf(event));
        const { whole } = answer;
        return whole === undefined
          ? jsonStream(route.status, answer.pieces(), headers)
          : jsonBytes(route.status, whole, headers);
      }
    },
    options,
  );
}
