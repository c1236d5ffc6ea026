import * as contract from "../../contract/graph.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { criticalPath } from "../../ops/graph/critical-path.ts";
import { reachableIssueGraph } from "../../ops/graph/reachable.ts";
import type { App } from "../app.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export function graphRoutes(app: App, deps: UngatedDeps, readWorker: ReadWorker | undefined): void {
  bindHeavyRead(app, deps, readWorker, contract.reachableIssueGraph, reachableIssueGraph);
  bindHeavyRead(app, deps, readWorker, contract.criticalPath, criticalPath);
}
