import * as contract from "../../contract/activity.ts";
import { EVENT_FEATURES, FEATURES_HEADER } from "../../contract/capabilities.ts";
import { auditCloses } from "../../ops/activity/audit-closes.ts";
import { digestGlobal, digestProject } from "../../ops/activity/digest.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { listIssueEvents } from "../../ops/events/list-issue.ts";
import { pollEvents } from "../../ops/events/poll.ts";
import { pollProjectEvents } from "../../ops/events/poll-project.ts";
import type { App } from "../app.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export function eventRoutes(app: App, deps: UngatedDeps, readWorker: ReadWorker | undefined): void {
  bindHeavyRead(app, deps, readWorker, contract.pollEvents, pollEvents, features);
  bindHeavyRead(app, deps, readWorker, contract.pollProjectEvents, pollProjectEvents, features);
  bindHeavyRead(app, deps, readWorker, contract.listIssueEvents, listIssueEvents);
  bindHeavyRead(app, deps, readWorker, contract.digestGlobal, digestGlobal);
  bindHeavyRead(app, deps, readWorker, contract.digestProject, digestProject);
  bindHeavyRead(app, deps, readWorker, contract.auditCloses, auditCloses);
}

/** Who polls learns whether it may count on more than the ordinary events (facts http-api 3.7). */
const features = { [FEATURES_HEADER]: EVENT_FEATURES.join(", ") };
