import type {
  assignIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../contract/actions.ts";
import type { listIssueEvents, pollEvents, pollProjectEvents } from "../contract/activity.ts";
import type { createComment, editComment } from "../contract/comments.ts";
import type { listCronJobs, replaceCronJob, showCronJob } from "../contract/cron-jobs.ts";
import type { previewCronJob, showCronJobLedger } from "../contract/cron-ledger.ts";
import type { listCronRuns } from "../contract/cron-runs.ts";
import type { listCronWorkflows, showCronWorkflow } from "../contract/cron-workflows.ts";
import type { criticalPath, reachableIssueGraph } from "../contract/graph.ts";
import type { health, instance } from "../contract/health.ts";
import type { listHolders, listHoldersGlobal } from "../contract/holders.ts";
import type { clearIssueRequest, listInboxGlobal, notifyIssue } from "../contract/inbox.ts";
import type {
  createIssue,
  editIssue,
  listAllIssues,
  listIssues,
  patchIssueMetadata,
  showIssue,
  showIssueByUID,
} from "../contract/issues.ts";
import type { addLabel, removeLabel } from "../contract/labels.ts";
import type { acquireIssueLease, forceReleaseIssueLease } from "../contract/leases.ts";
import type { initProject, listProjects } from "../contract/projects.ts";
import type { deleteIssue, moveIssue, restoreIssue } from "../contract/removal.ts";
import type { CallInput, Output } from "../contract/route.ts";
import type { searchIssues } from "../contract/search.ts";

/** The routes that a screen calls, by id. */
export interface ScreenRoutes {
  readonly acquireIssueLease: typeof acquireIssueLease;
  readonly addLabel: typeof addLabel;
  readonly assignIssue: typeof assignIssue;
  readonly clearIssueRequest: typeof clearIssueRequest;
  readonly closeIssue: typeof closeIssue;
  readonly createComment: typeof createComment;
  readonly createIssue: typeof createIssue;
  readonly criticalPath: typeof criticalPath;
  readonly deleteIssue: typeof deleteIssue;
  readonly editComment: typeof editComment;
  readonly editIssue: typeof editIssue;
  readonly forceReleaseIssueLease: typeof forceReleaseIssueLease;
  readonly health: typeof health;
  readonly initProject: typeof initProject;
  readonly instance: typeof instance;
  readonly listAllIssues: typeof listAllIssues;
  readonly listCronJobs: typeof listCronJobs;
  readonly listCronRuns: typeof listCronRuns;
  readonly listCronWorkflows: typeof listCronWorkflows;
  readonly listHolders: typeof listHolders;
  readonly listHoldersGlobal: typeof listHoldersGlobal;
  readonly listInboxGlobal: typeof listInboxGlobal;
  readonly listIssueEvents: typeof listIssueEvents;
  readonly listIssues: typeof listIssues;
  readonly listProjects: typeof listProjects;
  readonly moveIssue: typeof moveIssue;
  readonly notifyIssue: typeof notifyIssue;
  readonly patchIssueMetadata: typeof patchIssueMetadata;
  readonly pollEvents: typeof pollEvents;
  readonly pollProjectEvents: typeof pollProjectEvents;
  readonly previewCronJob: typeof previewCronJob;
  readonly reachableIssueGraph: typeof reachableIssueGraph;
  readonly removeLabel: typeof removeLabel;
  readonly reopenIssue: typeof reopenIssue;
  readonly replaceCronJob: typeof replaceCronJob;
  readonly restoreIssue: typeof restoreIssue;
  readonly searchIssues: typeof searchIssues;
  readonly setIssuePriority: typeof setIssuePriority;
  readonly showCronJob: typeof showCronJob;
  readonly showCronJobLedger: typeof showCronJobLedger;
  readonly showCronWorkflow: typeof showCronWorkflow;
  readonly showIssue: typeof showIssue;
  readonly showIssueByUID: typeof showIssueByUID;
  readonly unassignIssue: typeof unassignIssue;
}

/**
 * Calls a daemon, over a socket or with a page's fetch. A route is named by its id, since its schemas would bring zod.
 * Throws an `SvcError` if the daemon refuses with a known code.
 */
export interface Transport<Known extends keyof ScreenRoutes = keyof ScreenRoutes> {
  call<Id extends Known>(
    id: Id,
    input: CallInput<ScreenRoutes[Id]>,
  ): Promise<Output<ScreenRoutes[Id]>>;
  /** The answer as text, so that numbers keep their spelling. */
  text<Id extends Known>(id: Id, input: CallInput<ScreenRoutes[Id]>): Promise<string>;
}
