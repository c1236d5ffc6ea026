import { invariant } from "../../base/invariant.ts";
import type { JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";
import {
  commentEdited,
  type EditedField,
  issueClosed,
  issueDeleted,
  issueLabeled,
  issueMetadataUpdated,
  issueMoved,
  issueReopened,
  issueRestored,
  issueUnlabeled,
  issueUpdated,
  priorityCleared,
  prioritySet,
} from "../../domain/drafts/issues.ts";
import { leaseForceReleased } from "../../domain/drafts/leases.ts";
import { isLeased } from "../../domain/leases.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { IssueField } from "../../domain/undo/facets.ts";
import type { Revert } from "../../domain/undo/plan.ts";
import { linkDrafts } from "./link-drafts.ts";
import {
  ofKind,
  placeOf,
  type RestoredIssue,
  type RevertOf,
  type UndoContext,
  undoing,
} from "./undo-context.ts";

/**
 * Replaces the text of a comment that was undone, since comments cannot be removed
 * (docs/contract/events.md#62-effects).
 */
export const COMMENT_TAKEN_BACK = "(this comment was taken back)";

/**
 * Returns the events that restore an issue, in an order in which each can be written: the release of a lease, a move, a
 * restore, other changes, a delete.
 */
export async function draftsOf(
  context: UndoContext,
  uid: string,
  reverts: readonly Revert[],
): Promise<readonly EventDraft[]> {
  const issue = context.plan.now.issue(uid);
  invariant(issue !== undefined, "what is put back is there");
  // `without` is the state without the undone changes. If these changes created the issue, it is not in that state. The
  // undo then deletes the issue and leaves its fields as they are now.
  const target = context.plan.without.issue(uid) ?? issue;
  const isThere = target.deleted_at === null;
  const moves = ofEvent(reverts, "project");
  const project_uid = moves.length === 0 ? issue.project_uid : target.project_uid;
  const place: RestoredIssue = { context, issue, target, project_uid };
  return [
    ...ofKind(reverts, "lease").flatMap((revert) => releaseDrafts(place, revert)),
    ...(moves.length === 0 ? [] : [await moveDraft(place, moves)]),
    ...oneDraft(place, isThere ? ofEvent(reverts, "deleted") : [], restoredDraft),
    ...oneDraft(place, ofKind(reverts, "metadata"), metadataDraft),
    ...oneDraft(place, ofEvent(reverts, "edit"), editedDraft),
    ...oneDraft(place, ofEvent(reverts, "priority"), priorityDraft),
    ...ofKind(reverts, "label").map((revert) => labelDraft(place, revert)),
    ...linkDrafts(place, reverts),
    ...ofKind(reverts, "comment").map((revert) => commentDraft(place, revert)),
    ...oneDraft(
      place,
      ofEvent(reverts, "status"),
      target.status === "closed" ? closedDraft : reopenedDraft,
    ),
    ...oneDraft(place, ofEvent(reverts, isThere ? "exists" : "deleted"), deletedDraft),
  ];
}

/**
 * The event that restores each field. One event restores all the fields with `edit` together. Each other field gets an
 * event of its own, which `draftsOf` makes. A new field does not compile until it is listed here.
 */
const EVENTS: Readonly<Record<IssueField, "edit" | OwnEvent>> = {
  exists: "exists",
  deleted: "deleted",
  project: "project",
  title: "edit",
  body: "edit",
  owner: "edit",
  priority: "priority",
  status: "status",
};

type OwnEvent = "exists" | "deleted" | "project" | "priority" | "status";

function ofEvent(reverts: readonly Revert[], event: "edit" | OwnEvent) {
  return ofKind(reverts, "issue").filter(({ facet }) => EVENTS[facet.field] === event);
}

function isEdited(field: IssueField): field is EditedField {
  return EVENTS[field] === "edit";
}

function oneDraft<R extends Revert>(
  place: RestoredIssue,
  reverts: readonly R[],
  draft: (place: RestoredIssue, reverts: readonly R[]) => EventDraft,
): readonly EventDraft[] {
  return reverts.length === 0 ? [] : [draft(place, reverts)];
}

/** Ends a lease that is still active. An expired lease is ended before the undo. */
function releaseDrafts({ context, issue }: RestoredIssue, revert: Revert): readonly EventDraft[] {
  const { plan, leaseNow: now } = context;
  const lease = plan.now.row("lease", issue.uid);
  if (!isLeased(lease, now)) return [];
  return [leaseForceReleased(issue, lease, "undo", undoing({ ...context, now }, [revert]))];
}

async function moveDraft(place: RestoredIssue, reverts: readonly Revert[]): Promise<EventDraft> {
  const { context, issue, target } = place;
  const { project_uid } = target;
  const short_id = await context.shortIdIn(project_uid, { ...issue, ...target });
  return issueMoved(issue, { project_uid, short_id }, undoing(context, reverts));
}

function restoredDraft(place: RestoredIssue, reverts: readonly Revert[]): EventDraft {
  return issueRestored(placeOf(place), undoing(place.context, reverts));
}

function metadataDraft(place: RestoredIssue, reverts: readonly RevertOf<"metadata">[]): EventDraft {
  const diff: Record<string, { from?: JsonValue; to?: JsonValue }> = {};
  for (const { facet, from, to } of reverts) {
    diff[facet.key] = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  }
  const { revision } = place.issue;
  const act = undoing(place.context, reverts);
  return issueMetadataUpdated({ ...placeOf(place), revision }, diff, act);
}

/** Returns one event that restores title, body and owner together, as far as they were changed. */
function editedDraft(place: RestoredIssue, reverts: readonly RevertOf<"issue">[]): EventDraft {
  const fields = reverts.map(({ facet }) => facet.field).filter(isEdited);
  const to: Partial<Pick<IssueRow, EditedField>> = Object.fromEntries(
    fields.map((field) => [field, place.target[field]]),
  );
  const issue = { ...place.issue, ...placeOf(place) };
  return issueUpdated(issue, to, undoing(place.context, reverts));
}

function priorityDraft(place: RestoredIssue, reverts: readonly Revert[]): EventDraft {
  const { priority: to } = place.target;
  const issue = { ...place.issue, ...placeOf(place) };
  const act = undoing(place.context, reverts);
  return to === null ? priorityCleared(issue, act) : prioritySet(issue, to, act);
}

function labelDraft(place: RestoredIssue, revert: RevertOf<"label">): EventDraft {
  const { label } = revert.facet;
  const act = undoing(place.context, [revert]);
  const was = place.context.plan.without.label(place.issue.uid, label);
  if (was === undefined) return issueUnlabeled(placeOf(place), label, act);
  const { author, created_at } = was;
  return issueLabeled(placeOf(place), label, act, { author, created_at });
}

function commentDraft(place: RestoredIssue, revert: RevertOf<"comment">): EventDraft {
  const { facet, to } = revert;
  const body = typeof to === "string" ? to : COMMENT_TAKEN_BACK;
  return commentEdited(placeOf(place), facet.comment, body, undoing(place.context, [revert]));
}

function closedDraft(place: RestoredIssue, reverts: readonly Revert[]): EventDraft {
  const { context, issue, target } = place;
  const close = context.closes
    .get(issue.uid)
    ?.findLast(({ payload }) => payload.closed_at === target.closed_at);
  const { message, evidence, parent_uid = "", parent_short_id = "" } = close?.payload ?? {};
  const how = {
    reason: target.closed_reason ?? "done",
    closed_at: target.closed_at ?? context.now,
    ...{ message, evidence, parent: { uid: parent_uid, short_id: parent_short_id } },
  };
  return issueClosed(placeOf(place), how, undoing(context, reverts));
}

function reopenedDraft(place: RestoredIssue, reverts: readonly Revert[]): EventDraft {
  return issueReopened(placeOf(place), undoing(place.context, reverts));
}

function deletedDraft(place: RestoredIssue, reverts: readonly Revert[]): EventDraft {
  const { context, target } = place;
  const how = { reason: "undo", deleted_at: target.deleted_at ?? context.now };
  return issueDeleted(placeOf(place), how, undoing(context, reverts));
}
