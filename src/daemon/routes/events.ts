import * as contract from "../../contract/activity.ts";
import { EVENT_FEATURES, FEATURES_HEADER } from "../../contract/capabilities.ts";
import { auditCloses } from "../../ops/activity/audit-closes.ts";
import { digestGlobal, digestProject } from "../../ops/activity/digest.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { listIssueEvents } from "../../ops/events/list-issue.ts";
import { pollEvents } from "../../ops/events/poll.ts";
import { pollProjectEvents } from "../../ops/events/poll-project.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";

export function eventRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bindAside(app, deps, aside, contract.pollEvents, pollEvents, features);
  bindAside(app, deps, aside, contract.pollProjectEvents, pollProjectEvents, features);
  bindAside(app, deps, aside, contract.listIssueEvents, listIssueEvents);
  bindAside(app, deps, aside, contract.digestGlobal, digestGlobal);
  bindAside(app, deps, aside, contract.digestProject, digestProject);
  bindAside(app, deps, aside, contract.auditCloses, auditCloses);
}

/** Who polls learns whether it may count on more than the ordinary events (facts http-api 3.7). */
const features = { [FEATURES_HEADER]: EVENT_FEATURES.join(", ") };
