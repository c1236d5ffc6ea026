import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "./actions.ts";
import {
  auditCloses,
  digestGlobal,
  digestProject,
  listIssueEvents,
  pollEvents,
  pollProjectEvents,
  streamEvents,
} from "./activity.ts";
import { getCronCapabilities } from "./capabilities.ts";
import { createComment, editComment } from "./comments.ts";
import {
  archiveCronJob,
  createCronJob,
  listCronJobs,
  replaceCronJob,
  restoreCronJob,
  showCronJob,
} from "./cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "./cron-ledger.ts";
import { listCronRuns, observeCronRun, reportCronRuns, showCronRun } from "./cron-runs.ts";
import {
  archiveCronWorkflow,
  createCronWorkflow,
  listCronWorkflows,
  replaceCronWorkflow,
  restoreCronWorkflow,
  showCronWorkflow,
} from "./cron-workflows.ts";
import { criticalPath, reachableIssueGraph } from "./graph.ts";
import { health, instance, ping } from "./health.ts";
import { listHolders, listHoldersGlobal } from "./holders.ts";
import { importIssues } from "./imports.ts";
import { clearIssueRequest, listInbox, listInboxGlobal, notifyIssue } from "./inbox.ts";
import {
  createIssue,
  editIssue,
  listAllIssues,
  listIssues,
  patchIssueMetadata,
  showIssue,
  showIssueByUID,
} from "./issues.ts";
import { addLabel, listLabels, removeLabel } from "./labels.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  getIssueLeaseStatus,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
  takeReadyIssueGlobal,
} from "./leases.ts";
import { createLink, deleteLink } from "./links.ts";
import { issuePlanningDates } from "./planning.ts";
import { applyPlan } from "./plans.ts";
import {
  detachProjectAlias,
  mergeProject,
  patchProjectMetadata,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "./project-actions.ts";
import {
  initProject,
  listProjects,
  renameProject,
  resolveProject,
  showProject,
} from "./projects.ts";
import {
  createRecurrence,
  deleteRecurrence,
  listRecurrences,
  patchRecurrence,
  showRecurrence,
} from "./recurrences.ts";
import { deleteIssue, moveIssue, purgeIssue, restoreIssue } from "./removal.ts";
import type { Route } from "./route.ts";
import { readyIssues, readyIssuesGlobal, searchIssues, whyIssue } from "./search.ts";
import { undoGlobal, undoProject } from "./undo.ts";

/** Every route, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  health,
  ping,
  instance,
  listProjects,
  initProject,
  resolveProject,
  showProject,
  renameProject,
  removeProject,
  restoreProject,
  mergeProject,
  purgeProject,
  rewriteAuthorIdentity,
  patchProjectMetadata,
  detachProjectAlias,
  listAllIssues,
  showIssueByUID,
  listIssues,
  createIssue,
  showIssue,
  editIssue,
  patchIssueMetadata,
  whyIssue,
  issuePlanningDates,
  reachableIssueGraph,
  criticalPath,
  closeIssue,
  reopenIssue,
  assignIssue,
  unassignIssue,
  claimIssue,
  setIssuePriority,
  notifyIssue,
  clearIssueRequest,
  listInbox,
  listInboxGlobal,
  getCronCapabilities,
  moveIssue,
  deleteIssue,
  restoreIssue,
  purgeIssue,
  createComment,
  editComment,
  addLabel,
  removeLabel,
  listLabels,
  createLink,
  deleteLink,
  searchIssues,
  readyIssues,
  readyIssuesGlobal,
  takeReadyIssue,
  takeReadyIssueGlobal,
  listHolders,
  listHoldersGlobal,
  getIssueLeaseStatus,
  acquireIssueLease,
  renewIssueLease,
  releaseIssueLease,
  forceReleaseIssueLease,
  listRecurrences,
  createRecurrence,
  showRecurrence,
  patchRecurrence,
  deleteRecurrence,
  applyPlan,
  listCronJobs,
  createCronJob,
  showCronJob,
  replaceCronJob,
  archiveCronJob,
  restoreCronJob,
  previewCronJob,
  showCronJobLedger,
  listCronWorkflows,
  createCronWorkflow,
  showCronWorkflow,
  replaceCronWorkflow,
  archiveCronWorkflow,
  restoreCronWorkflow,
  listCronRuns,
  reportCronRuns,
  showCronRun,
  observeCronRun,
  pollEvents,
  pollProjectEvents,
  streamEvents,
  listIssueEvents,
  digestGlobal,
  digestProject,
  auditCloses,
  undoGlobal,
  undoProject,
  importIssues,
];
