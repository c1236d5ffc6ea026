import type { Input, Output, Route } from "../../contract/route.ts";
import { type Principal, type ReadDeps, TooMuch } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { jsonBytes } from "../reply.ts";
import type { Aside } from "./aside.ts";

/** Joins a reading that is usually small: it begins here, and begins again aside when it turns out to be large. */
export function bindAside<T extends Route>(
  app: App,
  deps: ReadDeps,
  aside: Aside | undefined,
  route: T,
  op: (deps: ReadDeps, who: Principal, input: Input<T>) => Promise<Output<T>>,
): void {
  if (aside === undefined) return bind(app, deps, route, op);
  bind(app, deps, route, async (given, who, input) => {
    try {
      return await op({ ...given, little: true }, who, input);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return jsonBytes(route.status, await aside.run(route.id, who, input));
    }
  });
}
