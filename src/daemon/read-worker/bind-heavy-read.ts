import { Budget, NeedsWorker } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { Input, Output, Route } from "../../contract/route.ts";
import type { Principal, ReadDeps, UngatedDeps } from "../../ops/deps.ts";
import { hasStreamedRows, type Streamed } from "../../ops/streamed-rows.ts";
import type { App } from "../app.ts";
import { type BindOptions, bind } from "../bind.ts";
import { goneOf } from "../event.ts";
import { jsonBytes, jsonStream } from "../reply.ts";
import type { ReadWorker } from "./read-worker.ts";

/** What a request may read on the daemon's own thread: some milliseconds of work. */
const LITTLE_BYTES = 3 * 1024 * 1024;

/** Joins a reading that is usually small: it begins here, and begins again in the read worker when it turns out to be large. */
export function bindHeavyRead<T extends Route>(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  route: T,
  op: (deps: ReadDeps, who: Principal, input: Input<T>) => Promise<Streamed<Output<T>>>,
  headers: Readonly<Record<string, string>> = {},
): void {
  const options: BindOptions<T> = { headers: () => headers };
  const here = async (given: ReadDeps, who: Principal, input: Input<T>): Promise<Output<T>> => {
    const output = await op(given, who, input);
    invariant(!hasStreamedRows(output), "a reading that does not stream answers at once");
    return output as Output<T>;
  };
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
