import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import type { Bulk } from "../bulk/bulk.ts";
import type { EventHub } from "../hub.ts";
import type { DaemonInfo } from "../info.ts";
import { streamRoute } from "../stream.ts";
import { capabilityRoutes } from "./capabilities.ts";
import { commentRoutes } from "./comments.ts";
import { cronRoutes } from "./cron.ts";
import { eventRoutes } from "./events.ts";
import { graphRoutes } from "./graph.ts";
import { healthRoutes } from "./health.ts";
import { importRoutes } from "./imports.ts";
import { inboxRoutes } from "./inbox.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { leaseRoutes } from "./leases.ts";
import { linkRoutes } from "./links.ts";
import { planRoutes } from "./plans.ts";
import { projectRoutes } from "./projects.ts";
import { recurrenceRoutes } from "./recurrences.ts";
import { searchRoutes } from "./search.ts";
import { undoRoutes } from "./undo.ts";

export interface RouteHosts {
  readonly info: DaemonInfo;
  readonly hub: EventHub;
  /** Without it everything is computed on this thread. */
  readonly aside?: Aside;
  readonly bulk?: Bulk;
}

/** Every route of the daemon. `/openapi.json` and `/openapi.yaml` are not among them (doc 1). */
export function addRoutes(
  app: App,
  deps: UngatedDeps,
  { info, hub, aside, bulk }: RouteHosts,
): void {
  healthRoutes(app, { ...deps, info });
  projectRoutes(app, deps, { aside, bulk });
  issueRoutes(app, deps, aside);
  commentRoutes(app, deps);
  labelRoutes(app, deps, aside);
  leaseRoutes(app, deps, aside);
  recurrenceRoutes(app, deps, aside);
  inboxRoutes(app, deps, aside);
  capabilityRoutes(app, deps);
  planRoutes(app, deps, bulk);
  cronRoutes(app, deps, aside);
  linkRoutes(app, deps);
  searchRoutes(app, deps, aside);
  graphRoutes(app, deps, aside);
  eventRoutes(app, deps, aside);
  importRoutes(app, deps, bulk);
  undoRoutes(app, deps, bulk);
  streamRoute(app, { ...deps, hub });
}
