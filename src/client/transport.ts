import {
  assignIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../contract/actions.ts";
import { listIssueEvents, pollEvents, pollProjectEvents } from "../contract/activity.ts";
import { createComment, editComment } from "../contract/comments.ts";
import { listCronJobs, replaceCronJob, showCronJob } from "../contract/cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "../contract/cron-ledger.ts";
import { listCronRuns } from "../contract/cron-runs.ts";
import { listCronWorkflows, showCronWorkflow } from "../contract/cron-workflows.ts";
import { criticalPath, reachableIssueGraph } from "../contract/graph.ts";
import { health, instance } from "../contract/health.ts";
import { listHolders, listHoldersGlobal } from "../contract/holders.ts";
import { clearIssueRequest, listInboxGlobal, notifyIssue } from "../contract/inbox.ts";
import {
  createIssue,
  editIssue,
  listAllIssues,
  listIssues,
  patchIssueMetadata,
  showIssue,
  showIssueByUID,
} from "../contract/issues.ts";
import { addLabel, removeLabel } from "../contract/labels.ts";
import { acquireIssueLease, forceReleaseIssueLease } from "../contract/leases.ts";
import { initProject, listProjects } from "../contract/projects.ts";
import { deleteIssue, moveIssue, restoreIssue } from "../contract/removal.ts";
import { searchIssues } from "../contract/search.ts";
import type { ScreenRoutes, Transport } from "../shared/transport.ts";
import type { Client } from "./client.ts";
import { transportTo } from "./transport-to.ts";

const ROUTES: ScreenRoutes = {
  acquireIssueLease,
  addLabel,
  assignIssue,
  clearIssueRequest,
  closeIssue,
  createComment,
  createIssue,
  criticalPath,
  deleteIssue,
  editComment,
  editIssue,
  forceReleaseIssueLease,
  health,
  initProject,
  instance,
  listAllIssues,
  listCronJobs,
  listCronRuns,
  listCronWorkflows,
  listHolders,
  listHoldersGlobal,
  listInboxGlobal,
  listIssueEvents,
  listIssues,
  listProjects,
  moveIssue,
  notifyIssue,
  patchIssueMetadata,
  pollEvents,
  pollProjectEvents,
  previewCronJob,
  reachableIssueGraph,
  removeLabel,
  reopenIssue,
  replaceCronJob,
  restoreIssue,
  searchIssues,
  setIssuePriority,
  showCronJob,
  showCronJobLedger,
  showCronWorkflow,
  showIssue,
  showIssueByUID,
  unassignIssue,
};

/** A transport for all routes that a screen uses. */
export function transportOf(client: Client): Transport {
  return transportTo(client, ROUTES);
}
