import { applyPlan as contract } from "../../contract/plans.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { applyPlan } from "../../ops/plans/apply.ts";
import type { App } from "../app.ts";
import { bindBulk } from "../bulk/bind-bulk.ts";
import type { Bulk } from "../bulk/bulk.ts";

export function planRoutes(app: App, deps: UngatedDeps, bulk: Bulk | undefined): void {
  bindBulk(app, deps, bulk, contract, applyPlan);
}
