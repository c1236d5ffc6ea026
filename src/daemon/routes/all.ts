import type { Deps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import type { EventHub } from "../hub.ts";
import type { DaemonInfo } from "../info.ts";
import { streamRoute } from "../stream.ts";
import { healthRoutes } from "./health.ts";
import { issueRoutes } from "./issues.ts";
import { projectRoutes } from "./projects.ts";

export interface RouteHosts {
  readonly info: DaemonInfo;
  readonly hub: EventHub;
}

/** Every route of the daemon. `/openapi.json` and `/openapi.yaml` are not among them (doc 1). */
export function addRoutes(app: App, deps: Deps, { info, hub }: RouteHosts): void {
  healthRoutes(app, { ...deps, info });
  projectRoutes(app, deps);
  issueRoutes(app, deps);
  streamRoute(app, { ...deps, hub });
}
