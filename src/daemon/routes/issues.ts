import * as actions from "../../contract/actions.ts";
import * as contract from "../../contract/issues.ts";
import * as planning from "../../contract/planning.ts";
import * as removal from "../../contract/removal.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { revisionTag } from "../../ops/guards.ts";
import { assignIssue } from "../../ops/issues/assign.ts";
import { claimIssue } from "../../ops/issues/claim.ts";
import { closeIssue } from "../../ops/issues/close.ts";
import { createIssue } from "../../ops/issues/create.ts";
import { deleteIssue } from "../../ops/issues/delete.ts";
import { editIssue } from "../../ops/issues/edit.ts";
import { moveIssue } from "../../ops/issues/move.ts";
import { patchIssueMetadata } from "../../ops/issues/patch-metadata.ts";
import { issuePlanningDates } from "../../ops/issues/planning-dates.ts";
import { purgeIssue } from "../../ops/issues/purge.ts";
import { reopenIssue } from "../../ops/issues/reopen.ts";
import { restoreIssue } from "../../ops/issues/restore.ts";
import { setIssuePriority } from "../../ops/issues/set-priority.ts";
import { unassignIssue } from "../../ops/issues/unassign.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function issueRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.createIssue, createIssue);
  bind(app, deps, planning.issuePlanningDates, issuePlanningDates);
  bind(app, deps, contract.editIssue, editIssue);
  bind(app, deps, contract.patchIssueMetadata, patchIssueMetadata, {
    headers: ({ issue }) => ({ etag: revisionTag(issue.revision) }),
  });
  bind(app, deps, actions.closeIssue, closeIssue);
  bind(app, deps, actions.reopenIssue, reopenIssue);
  bind(app, deps, actions.assignIssue, assignIssue);
  bind(app, deps, actions.unassignIssue, unassignIssue);
  bind(app, deps, actions.claimIssue, claimIssue);
  bind(app, deps, actions.setIssuePriority, setIssuePriority);
  bind(app, deps, removal.moveIssue, moveIssue, {
    headers: ({ issue }) => ({ etag: revisionTag(issue.revision) }),
  });
  bind(app, deps, removal.deleteIssue, deleteIssue);
  bind(app, deps, removal.restoreIssue, restoreIssue);
  bind(app, deps, removal.purgeIssue, purgeIssue);
}
