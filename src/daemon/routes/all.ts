import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import type { EventHub } from "../hub.ts";
import type { DaemonInfo } from "../info.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";
import { streamRoute } from "../stream.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";
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
  readonly readWorker?: ReadWorker;
  readonly writeWorker?: WriteWorker;
}

/** Every route of the daemon. `/openapi.json` and `/openapi.yaml` are not among them (doc 1). */
export function addRoutes(
  app: App,
  deps: UngatedDeps,
  { info, hub, readWorker, writeWorker }: RouteHosts,
): void {
  healthRoutes(app, { ...deps, info });
  projectRoutes(app, deps, { readWorker, writeWorker });
  issueRoutes(app, deps, readWorker);
  commentRoutes(app, deps);
  labelRoutes(app, deps, readWorker);
  leaseRoutes(app, deps, readWorker);
  recurrenceRoutes(app, deps, readWorker);
  inboxRoutes(app, deps, readWorker);
  capabilityRoutes(app, deps);
  planRoutes(app, deps, writeWorker);
  cronRoutes(app, deps, readWorker);
  linkRoutes(app, deps);
  searchRoutes(app, deps, readWorker);
  graphRoutes(app, deps, readWorker);
  eventRoutes(app, deps, readWorker);
  importRoutes(app, deps, writeWorker);
  undoRoutes(app, deps, writeWorker);
  streamRoute(app, { ...deps, hub });
}
