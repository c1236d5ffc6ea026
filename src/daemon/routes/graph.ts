import * as contract from "../../contract/graph.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { criticalPath } from "../../ops/graph/critical-path.ts";
import { reachableIssueGraph } from "../../ops/graph/reachable.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";

export function graphRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bindAside(app, deps, aside, contract.reachableIssueGraph, reachableIssueGraph);
  bindAside(app, deps, aside, contract.criticalPath, criticalPath);
}
