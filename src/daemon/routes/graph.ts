import * as contract from "../../contract/graph.ts";
import type { Deps } from "../../ops/deps.ts";
import { criticalPath } from "../../ops/graph/critical-path.ts";
import { reachableIssueGraph } from "../../ops/graph/reachable.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function graphRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract.reachableIssueGraph, reachableIssueGraph);
  bind(app, deps, contract.criticalPath, criticalPath);
}
