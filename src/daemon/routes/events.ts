import * as contract from "../../contract/activity.ts";
import { EVENT_FEATURES, FEATURES_HEADER } from "../../contract/capabilities.ts";
import { auditCloses } from "../../ops/activity/audit-closes.ts";
import { digestGlobal, digestProject } from "../../ops/activity/digest.ts";
import type { Deps } from "../../ops/deps.ts";
import { listIssueEvents } from "../../ops/events/list-issue.ts";
import { pollEvents } from "../../ops/events/poll.ts";
import { pollProjectEvents } from "../../ops/events/poll-project.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function eventRoutes(app: App, deps: Deps): void {
  bind(app, deps, contract.pollEvents, pollEvents, features);
  bind(app, deps, contract.pollProjectEvents, pollProjectEvents, features);
  bind(app, deps, contract.listIssueEvents, listIssueEvents);
  bind(app, deps, contract.digestGlobal, digestGlobal);
  bind(app, deps, contract.digestProject, digestProject);
  bind(app, deps, contract.auditCloses, auditCloses);
}

/** Who polls learns whether it may count on more than the ordinary events (facts http-api 3.7). */
const features = { headers: () => ({ [FEATURES_HEADER]: EVENT_FEATURES.join(", ") }) };
