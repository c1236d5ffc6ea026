import { applyPlan as contract } from "../../contract/plans.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { applyPlan } from "../../ops/plans/apply.ts";
import type { App } from "../app.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";

export function planRoutes(
  app: App,
  deps: UngatedDeps,
  writeWorker: WriteWorker | undefined,
): void {
  bindHeavyWrite(app, deps, writeWorker, contract, applyPlan);
}
