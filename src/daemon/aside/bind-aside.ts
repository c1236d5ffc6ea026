import { Budget, TooMuch } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { Input, Output, Route } from "../../contract/route.ts";
import type { Principal, ReadDeps, UngatedDeps } from "../../ops/deps.ts";
import { hasSlices, type Streamed } from "../../ops/slices.ts";
import type { App } from "../app.ts";
import { type BindOptions, bind } from "../bind.ts";
import { goneOf } from "../event.ts";
import { jsonBytes, jsonStream } from "../reply.ts";
import type { Aside } from "./aside.ts";

/** What a request may read on the daemon's own thread: some milliseconds of work. */
const LITTLE_BYTES = 3 * 1024 * 1024;

/** Joins a reading that is usually small: it begins here, and begins again aside when it turns out to be large. */
export function bindAside<T extends Route>(
  app: App,
  deps: UngatedDeps,
  aside: Aside | undefined,
  route: T,
  op: (deps: ReadDeps, who: Principal, input: Input<T>) => Promise<Streamed<Output<T>>>,
  headers: Readonly<Record<string, string>> = {},
): void {
  const options: BindOptions<T> = { headers: () => headers };
  const here = async (given: ReadDeps, who: Principal, input: Input<T>): Promise<Output<T>> => {
    const output = await op(given, who, input);
    invariant(!hasSlices(output), "a reading that does not stream answers at once");
    return output as Output<T>;
  };
  if (aside === undefined) return bind(app, deps, route, here, options);
  bind(
    app,
    deps,
    route,
    async (given, who, input, event) => {
      const budget = new Budget(LITTLE_BYTES);
      const { store } = given;
      const little: ReadDeps["store"] = {
        read: async (work) => await store.read(work, budget),
        leaseNow: async () => await store.leaseNow(),
      };
      try {
        return await here({ ...given, store: little, little: true }, who, input);
      } catch (error) {
        if (!(error instanceof TooMuch)) throw error;
        const answer = await aside.run(route.id, who, input, goneOf(event));
        const { whole } = answer;
        return whole === undefined
          ? jsonStream(route.status, answer.pieces(), headers)
          : jsonBytes(route.status, whole, headers);
      }
    },
    options,
  );
}
