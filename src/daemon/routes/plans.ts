import { applyPlan as contract } from "../../contract/plans.ts";
import type { Deps } from "../../ops/deps.ts";
import { applyPlan } from "../../ops/plans/apply.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function planRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract, applyPlan);
}
