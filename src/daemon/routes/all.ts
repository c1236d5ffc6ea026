import type { UngatedDeps } from "../../ops/deps.ts";
import type { Federation } from "../../ops/federation/far-side.ts";
import type { FarSide } from "../../ops/issue-sync/far-side.ts";
import type { App } from "../app.ts";
import type { ConnectorHost } from "../connectors.ts";
import type { DaemonInfo } from "../info.ts";
import type { LazyMeaning } from "../meaning/lazy-meaning.ts";
import type { Recorder } from "../profiling/recorder.ts";
import { profilingRoutes } from "../profiling/routes.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import { READ_WORKER_OPS } from "../read-worker/ops.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";
import type { EventHub } from "../stream/hub.ts";
import { bindHeavyWrite } from "../write-worker/bind-heavy-write.ts";
import { WRITE_WORKER_OPS } from "../write-worker/ops.ts";
import type { WriteWorker } from "../write-worker/write-worker.ts";
import { bridgeRoutes } from "./bridges.ts";
import { capabilityRoutes } from "./capabilities.ts";
import { commentRoutes } from "./comments.ts";
import { connectorRoutes } from "./connectors.ts";
import { cronRoutes } from "./cron.ts";
import { embeddingsRoutes } from "./embeddings.ts";
import { federationRoutes } from "./federation.ts";
import { healthRoutes } from "./health.ts";
import { importRoutes } from "./imports.ts";
import { inboxRoutes } from "./inbox.ts";
import { issueSyncRoutes } from "./issue-sync.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { leaseRoutes } from "./leases.ts";
import { linkRoutes } from "./links.ts";
import { pageRoutes } from "./page.ts";
import { projectRoutes } from "./projects.ts";
import { recurrenceRoutes } from "./recurrences.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./sessions.ts";
import { streamRoute } from "./stream.ts";
import { tokenRoutes } from "./tokens.ts";
import { type Pages, uiRoutes } from "./ui.ts";

export interface RouteHosts {
  readonly info: DaemonInfo;
  readonly hub: EventHub;
  readonly recorder: Recorder;
  /** If absent, the daemon serves no pages. */
  readonly pages?: Pages;
  /** If these workers are absent, everything runs on the daemon's own thread. */
  readonly readWorker?: ReadWorker;
  readonly writeWorker?: WriteWorker;
  /** If absent, no repository can be read. */
  readonly issueSync?: FarSide;
  /** If absent, config.toml has no connectors. */
  readonly connectors?: ConnectorHost | undefined;
  /** If absent, no provider of search by meaning is configured. */
  readonly meaning?: LazyMeaning | undefined;
  /** What the routes of federation use to ask hubs and to change copies. */
  readonly replicas: Federation;
}

/**
 * Adds every route except `/openapi.json` and `/openapi.yaml`, which the daemon does not serve
 * (docs/contract/http-api.md#11-transport-and-formats).
 */
export function addRoutes(app: App, depsOfAll: UngatedDeps, hosts: RouteHosts): void {
  const { info, hub, recorder, pages, readWorker, writeWorker } = hosts;
  const { issueSync, connectors, meaning, replicas } = hosts;
  const deps = { ...depsOfAll, hubLeases: replicas.leases };
  healthRoutes(app, { ...deps, info, connectors, meaning });
  projectRoutes(app, deps);
  issueRoutes(app, deps);
  commentRoutes(app, deps);
  labelRoutes(app, deps);
  leaseRoutes(app, deps);
  recurrenceRoutes(app, deps);
  importRoutes(app, deps);
  issueSyncRoutes(app, deps, issueSync);
  connectorRoutes(app, deps, connectors);
  bridgeRoutes(app, deps, connectors);
  embeddingsRoutes(app, deps, meaning);
  inboxRoutes(app, deps);
  capabilityRoutes(app, deps);
  cronRoutes(app, deps);
  linkRoutes(app, deps);
  tokenRoutes(app, deps);
  federationRoutes(app, deps, { federation: replicas, readWorker, writeWorker });
  sessionRoutes(app);
  searchRoutes(app, deps, { readWorker, meaning });
  for (const op of READ_WORKER_OPS.values()) bindHeavyRead(app, deps, readWorker, op);
  uiRoutes(app, deps, readWorker, pages);
  for (const op of WRITE_WORKER_OPS.values()) bindHeavyWrite(app, deps, writeWorker, op);
  streamRoute(app, { ...deps, hub });
  profilingRoutes(app, recorder);
  pageRoutes(app);
}
