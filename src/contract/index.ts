import * as actions from "./actions.ts";
import * as activity from "./activity.ts";
import * as bridges from "./bridges.ts";
import * as capabilities from "./capabilities.ts";
import * as comments from "./comments.ts";
import * as connectors from "./connectors.ts";
import * as cronJobs from "./cron-jobs.ts";
import * as cronLedger from "./cron-ledger.ts";
import * as cronPreview from "./cron-preview.ts";
import * as cronRuns from "./cron-runs.ts";
import * as cronWorkflows from "./cron-workflows.ts";
import * as embeddings from "./embeddings.ts";
import * as federation from "./federation.ts";
import * as federationQuarantine from "./federation-quarantine.ts";
import * as federationReplicas from "./federation-replicas.ts";
import * as federationStatus from "./federation-status.ts";
import * as federationTransport from "./federation-transport.ts";
import * as federationVerify from "./federation-verify.ts";
import * as graph from "./graph.ts";
import * as health from "./health.ts";
import * as holders from "./holders.ts";
import * as importBatches from "./import-batches.ts";
import * as imports from "./imports.ts";
import * as inbox from "./inbox.ts";
import * as issueSync from "./issue-sync.ts";
import * as issues from "./issues.ts";
import * as labels from "./labels.ts";
import * as leases from "./leases.ts";
import * as links from "./links.ts";
import * as planning from "./planning.ts";
import * as plans from "./plans.ts";
import * as projectActions from "./project-actions.ts";
import * as projects from "./projects.ts";
import * as recurrences from "./recurrences.ts";
import * as removal from "./removal.ts";
import type { Route } from "./route.ts";
import * as search from "./search.ts";
import * as sessions from "./sessions.ts";
import * as tokens from "./tokens.ts";
import * as uiLaunchTarget from "./ui-launch-target.ts";
import * as uiReferences from "./ui-references.ts";
import * as uiSnapshot from "./ui-snapshot.ts";
import * as undo from "./undo.ts";

/** Every route, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  health.health,
  health.ping,
  health.instance,
  projects.listProjects,
  projects.initProject,
  projects.resolveProject,
  projects.showProject,
  projects.renameProject,
  projectActions.removeProject,
  projectActions.restoreProject,
  projectActions.mergeProject,
  projectActions.purgeProject,
  projectActions.rewriteAuthorIdentity,
  projectActions.patchProjectMetadata,
  projectActions.detachProjectAlias,
  issues.listAllIssues,
  issues.showIssueByUID,
  issues.listIssues,
  issues.createIssue,
  issues.showIssue,
  issues.editIssue,
  issues.patchIssueMetadata,
  search.whyIssue,
  planning.issuePlanningDates,
  graph.reachableIssueGraph,
  graph.criticalPath,
  actions.closeIssue,
  actions.reopenIssue,
  actions.assignIssue,
  actions.unassignIssue,
  actions.claimIssue,
  actions.setIssuePriority,
  inbox.notifyIssue,
  inbox.clearIssueRequest,
  inbox.listInbox,
  inbox.listInboxGlobal,
  capabilities.getCronCapabilities,
  removal.moveIssue,
  removal.deleteIssue,
  removal.restoreIssue,
  removal.purgeIssue,
  comments.createComment,
  comments.editComment,
  labels.addLabel,
  labels.removeLabel,
  labels.listLabels,
  links.createLink,
  links.deleteLink,
  search.searchIssues,
  embeddings.showEmbeddings,
  embeddings.reindexEmbeddings,
  embeddings.testEmbeddings,
  search.readyIssues,
  search.readyIssuesGlobal,
  leases.takeReadyIssue,
  leases.takeReadyIssueGlobal,
  holders.listHolders,
  holders.listHoldersGlobal,
  leases.getIssueLeaseStatus,
  leases.acquireIssueLease,
  leases.renewIssueLease,
  leases.releaseIssueLease,
  leases.forceReleaseIssueLease,
  recurrences.listRecurrences,
  recurrences.createRecurrence,
  recurrences.showRecurrence,
  recurrences.patchRecurrence,
  recurrences.deleteRecurrence,
  plans.applyPlan,
  cronJobs.listCronJobs,
  cronJobs.createCronJob,
  cronJobs.showCronJob,
  cronJobs.replaceCronJob,
  cronJobs.archiveCronJob,
  cronJobs.restoreCronJob,
  cronLedger.previewCronJob,
  cronPreview.previewCronDefinition,
  cronLedger.showCronJobLedger,
  cronLedger.sweepCronJob,
  cronWorkflows.listCronWorkflows,
  cronWorkflows.createCronWorkflow,
  cronWorkflows.showCronWorkflow,
  cronWorkflows.replaceCronWorkflow,
  cronWorkflows.archiveCronWorkflow,
  cronWorkflows.restoreCronWorkflow,
  cronRuns.listCronRuns,
  cronRuns.listRunningCronRuns,
  cronRuns.reportCronRuns,
  cronRuns.showCronRun,
  cronRuns.observeCronRun,
  activity.pollEvents,
  activity.pollProjectEvents,
  activity.streamEvents,
  activity.listIssueEvents,
  activity.digestGlobal,
  activity.digestProject,
  activity.auditCloses,
  undo.undoGlobal,
  undo.undoProject,
  issueSync.enableIssueSync,
  issueSync.disableIssueSync,
  issueSync.getIssueSyncStatus,
  issueSync.runIssueSyncOnce,
  issueSync.testIssueSync,
  imports.importIssues,
  importBatches.listImports,
  importBatches.undoImport,
  federation.enableProjectFederation,
  federation.getProjectFederation,
  federationStatus.getFederationStatus,
  federationStatus.getProjectFederationStatus,
  federation.listFederationEnrollments,
  federation.createFederationEnrollment,
  federation.rotateFederationEnrollment,
  federation.revokeFederationEnrollment,
  federationReplicas.createFederationReplica,
  federationReplicas.resyncFederationReplica,
  federationReplicas.leaveFederationReplica,
  federationReplicas.rebindFederationReplica,
  federationVerify.verifyFederationReplica,
  federationQuarantine.listFederationQuarantine,
  federationQuarantine.showFederationQuarantine,
  federationQuarantine.retryFederationQuarantine,
  federationQuarantine.skipFederationQuarantine,
  federationTransport.getFederationProjectMetadata,
  federationTransport.pollFederationProjectEvents,
  federationTransport.ingestFederationProjectEvents,
  federationVerify.sumFederationProjectEvents,
  federationVerify.hashFederationProjectIssues,
  connectors.listConnectors,
  connectors.getConnectorStatus,
  bridges.listConnectorFields,
  bridges.mapConnectorField,
  bridges.unmapConnectorField,
  bridges.reconcileExternalRootByKey,
  bridges.bindExternalRoot,
  bridges.getExternalRootBridge,
  bridges.unbindExternalRoot,
  bridges.pauseExternalRootBridge,
  bridges.resumeExternalRootBridge,
  bridges.reconcileExternalRootBridge,
  bridges.resolveExternalField,
  bridges.resolveExternalComment,
  tokens.listTokens,
  tokens.createToken,
  tokens.revokeToken,
  uiSnapshot.readUISnapshot,
  uiReferences.readUIReferences,
  uiLaunchTarget.readUILaunchTarget,
  sessions.createWebSessionCode,
  sessions.createLocalWebSession,
  sessions.loginWebSession,
  sessions.proxyWebSession,
  sessions.deleteWebSession,
];
