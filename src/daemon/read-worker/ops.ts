import * as activity from "../../contract/activity.ts";
import { EVENT_FEATURES, FEATURES_HEADER } from "../../contract/capabilities.ts";
import * as jobs from "../../contract/cron-jobs.ts";
import * as ledger from "../../contract/cron-ledger.ts";
import * as runs from "../../contract/cron-runs.ts";
import * as workflows from "../../contract/cron-workflows.ts";
import * as federation from "../../contract/federation.ts";
import * as transport from "../../contract/federation-transport.ts";
import * as verify from "../../contract/federation-verify.ts";
import * as graph from "../../contract/graph.ts";
import * as holders from "../../contract/holders.ts";
import * as inbox from "../../contract/inbox.ts";
import * as issues from "../../contract/issues.ts";
import * as labels from "../../contract/labels.ts";
import * as projects from "../../contract/projects.ts";
import * as recurrences from "../../contract/recurrences.ts";
import type { Route } from "../../contract/route.ts";
import * as search from "../../contract/search.ts";
import * as uiReferences from "../../contract/ui-references.ts";
import * as uiSnapshot from "../../contract/ui-snapshot.ts";
import { auditCloses } from "../../ops/activity/audit-closes.ts";
import { digestGlobal, digestProject } from "../../ops/activity/digest.ts";
import { showCronJobLedger } from "../../ops/cron/ledger.ts";
import { listCronJobs, listCronWorkflows } from "../../ops/cron/read.ts";
import { listCronRuns } from "../../ops/cron/runs/read.ts";
import { reportCronRuns } from "../../ops/cron/runs/report.ts";
import { listRunningCronRuns } from "../../ops/cron/runs/running.ts";
import type { Principal, ReadDeps, StreamOp } from "../../ops/deps.ts";
import { listIssueEvents } from "../../ops/events/list-issue.ts";
import { pollEvents } from "../../ops/events/poll.ts";
import { pollProjectEvents } from "../../ops/events/poll-project.ts";
import {
  hashFederationProjectIssues,
  sumFederationProjectEvents,
} from "../../ops/federation/hub-sums.ts";
import { listFederationEnrollments } from "../../ops/federation/list-enrollments.ts";
import { pollFederationProjectEvents } from "../../ops/federation/poll.ts";
import { criticalPath } from "../../ops/graph/critical-path.ts";
import { reachableIssueGraph } from "../../ops/graph/reachable.ts";
import { listInbox, listInboxGlobal } from "../../ops/inbox/list.ts";
import { listIssues } from "../../ops/issues/list.ts";
import { listAllIssues } from "../../ops/issues/list-all.ts";
import { showIssue } from "../../ops/issues/show.ts";
import { showIssueByUID } from "../../ops/issues/show-by-uid.ts";
import { listLabels } from "../../ops/labels/list.ts";
import { listHolders, listHoldersGlobal } from "../../ops/leases/holders.ts";
import { listProjects } from "../../ops/projects/list.ts";
import { listRecurrences } from "../../ops/recurrences/list.ts";
import { readyIssues } from "../../ops/search/ready.ts";
import { readyIssuesGlobal } from "../../ops/search/ready-global.ts";
import { searchIssues } from "../../ops/search/search.ts";
import { whyIssue } from "../../ops/search/why.ts";
import type { PageOp } from "../../ops/ui/envelope.ts";
import { readUIReferences } from "../../ops/ui/references.ts";
import { readUISnapshot } from "../../ops/ui/snapshot.ts";

export interface HeavyRead {
  readonly route: Route;
  readonly run: (deps: ReadDeps, who: Principal, input: never) => Promise<object>;
  readonly headers: Readonly<Record<string, string>>;
}

const op = <T extends Route>(
  route: T,
  run: StreamOp<T>,
  headers: HeavyRead["headers"] = {},
): readonly [string, HeavyRead] => [route.id, { route, run, headers }];

/**
 * A response header that lists the features of this daemon, so that a client that polls for events knows which events
 * may come (docs/contract/http-api.md#37-events-digest-audit-undo).
 */
const FEATURES = { [FEATURES_HEADER]: EVENT_FEATURES.join(", ") };

/** The operations whose answer can be long, by the id of their route. `routes/all.ts` adds a route for each of them. */
export const READ_WORKER_OPS: ReadonlyMap<string, HeavyRead> = new Map([
  op(graph.reachableIssueGraph, reachableIssueGraph),
  op(graph.criticalPath, criticalPath),
  op(issues.listIssues, listIssues),
  op(issues.listAllIssues, listAllIssues),
  op(issues.showIssue, showIssue),
  op(issues.showIssueByUID, showIssueByUID),
  op(search.readyIssues, readyIssues),
  op(search.readyIssuesGlobal, readyIssuesGlobal),
  op(search.whyIssue, whyIssue),
  op(activity.pollEvents, pollEvents, FEATURES),
  op(activity.pollProjectEvents, pollProjectEvents, FEATURES),
  op(activity.listIssueEvents, listIssueEvents),
  op(activity.digestGlobal, digestGlobal),
  op(activity.digestProject, digestProject),
  op(activity.auditCloses, auditCloses),
  op(projects.listProjects, listProjects),
  op(labels.listLabels, listLabels),
  op(holders.listHolders, listHolders),
  op(holders.listHoldersGlobal, listHoldersGlobal),
  op(inbox.listInbox, listInbox),
  op(inbox.listInboxGlobal, listInboxGlobal),
  op(recurrences.listRecurrences, listRecurrences),
  op(jobs.listCronJobs, listCronJobs),
  op(workflows.listCronWorkflows, listCronWorkflows),
  op(runs.listCronRuns, listCronRuns),
  op(runs.listRunningCronRuns, listRunningCronRuns),
  op(runs.reportCronRuns, reportCronRuns),
  op(ledger.showCronJobLedger, showCronJobLedger),
  op(federation.listFederationEnrollments, listFederationEnrollments),
  op(verify.sumFederationProjectEvents, sumFederationProjectEvents, FEATURES),
  op(verify.hashFederationProjectIssues, hashFederationProjectIssues, FEATURES),
]);

const pageOp = <T extends Route>(route: T, run: PageOp<T>): readonly [string, HeavyRead] => [
  route.id,
  { route, run, headers: {} },
];

/**
 * The operations that give pages their data, by the id of their route. `routes/ui.ts` adds the routes, and passes what
 * only the daemon knows: the rights of the caller and the origin of the pages.
 */
export const PAGE_OPS: ReadonlyMap<string, HeavyRead> = new Map([
  pageOp(uiSnapshot.readUISnapshot, readUISnapshot),
  pageOp(uiReferences.readUIReferences, readUIReferences),
]);

/**
 * The operation that answers the poll of a spoke with a page of events. `routes/federation.ts` adds its route. The
 * route first begins the poll, which needs a write.
 */
export const SPOKE_POLL: HeavyRead = {
  route: transport.pollFederationProjectEvents,
  run: pollFederationProjectEvents,
  headers: {},
};

/** The search. `routes/search.ts` adds its route, which also begins a search by meaning. */
export const SEARCH: HeavyRead = { route: search.searchIssues, run: searchIssues, headers: {} };

/** The operation of a route, if the read worker can carry it out. */
export function readWorkerOp(routeId: string): HeavyRead | undefined {
  const known = READ_WORKER_OPS.get(routeId) ?? PAGE_OPS.get(routeId);
  return known ?? [SPOKE_POLL, SEARCH].find(({ route }) => route.id === routeId);
}
