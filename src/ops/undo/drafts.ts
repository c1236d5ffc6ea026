import { invariant } from "../../base/invariant.ts";
import type { JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";
import { ended, isHeld } from "../../domain/leases.ts";
import type { IssueField } from "../../domain/undo/facets.ts";
import type { Revert } from "../../domain/undo/plan.ts";
import {
  about,
  type Drafting,
  marked,
  markOf,
  ofKind,
  type Placed,
  type RevertOf,
} from "./drafting.ts";
import { linkDrafts } from "./link-drafts.ts";

/** What stands in the place of a comment that was taken back: comments only grow (facts federation, 8). */
export const COMMENT_TAKEN_BACK = "(this comment was taken back)";

/**
 * The events that put an issue back, in an order in which each can be written: a lease is given up before what it
 * guards is changed, an issue is there before it is changed and deleted after it.
 */
export async function draftsOf(
  drafting: Drafting,
  uid: string,
  reverts: readonly Revert[],
): Promise<readonly EventDraft[]> {
  const issue = drafting.plan.now.issue(uid);
  invariant(issue !== undefined, "what is put back is there");
  // One that was created in that time would not be there, and is deleted as it stands.
  const target = drafting.plan.without.issue(uid) ?? issue;
  const isThere = target.deleted_at === null;
  const moves = ofField(reverts, "project");
  const project_uid = moves.length === 0 ? issue.project_uid : target.project_uid;
  const place: Placed = { drafting, issue, target, project_uid };
  return [
    ...ofKind(reverts, "lease").flatMap((revert) => release(place, revert)),
    ...(moves.length === 0 ? [] : [await move(place, moves)]),
    ...one(place, isThere ? ofField(reverts, "deleted") : [], restored),
    ...one(place, ofKind(reverts, "metadata"), metadata),
    ...one(place, ofField(reverts, "title", "body", "owner"), fields),
    ...one(place, ofField(reverts, "priority"), priority),
    ...ofKind(reverts, "label").map((revert) => label(place, revert)),
    ...linkDrafts(place, reverts),
    ...ofKind(reverts, "comment").map((revert) => comment(place, revert)),
    ...one(place, ofField(reverts, "status"), target.status === "closed" ? closed : reopened),
    ...one(place, ofField(reverts, isThere ? "exists" : "deleted"), deleted),
  ];
}

function ofField(reverts: readonly Revert[], ...fields: readonly IssueField[]) {
  return ofKind(reverts, "issue").filter(({ facet }) => fields.includes(facet.field));
}

/** One event for all of them, where there are any. */
function one<R extends Revert>(
  place: Placed,
  reverts: readonly R[],
  draft: (place: Placed, reverts: readonly R[]) => EventDraft,
): readonly EventDraft[] {
  return reverts.length === 0 ? [] : [draft(place, reverts)];
}

/** One that ran out was ended before. */
function release({ drafting, issue }: Placed, revert: Revert): readonly EventDraft[] {
  const { plan, actor, leaseNow: now } = drafting;
  const lease = plan.now.row("lease", issue.uid);
  if (!isHeld(lease, now)) return [];
  const draft = ended("claim.force_released", issue, lease, "undo", { actor, now });
  return [{ ...draft, payload: { ...draft.payload, undo: markOf(drafting, [revert]) } }];
}

async function move(place: Placed, reverts: readonly Revert[]): Promise<EventDraft> {
  const { drafting, issue, target } = place;
  return {
    type: "issue.moved",
    ...about(place),
    payload: {
      from_project_uid: issue.project_uid,
      to_project_uid: target.project_uid,
      from_short_id: issue.short_id,
      to_short_id: await drafting.shortIdIn(target.project_uid, { ...issue, ...target }),
      ...marked(place, reverts),
    },
  };
}

function restored(place: Placed, reverts: readonly Revert[]): EventDraft {
  const payload = { restored_at: place.drafting.now, ...marked(place, reverts) };
  return { type: "issue.restored", ...about(place), payload };
}

function metadata(place: Placed, reverts: readonly RevertOf<"metadata">[]): EventDraft {
  const diff: Record<string, { from?: JsonValue; to?: JsonValue }> = {};
  for (const { facet, from, to } of reverts) {
    diff[facet.key] = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  }
  const payload = { diff, revision_new: place.issue.revision + 1, ...marked(place, reverts) };
  return { type: "issue.metadata_updated", ...about(place), payload };
}

/** Title, body and owner in one event, as an edit writes them. */
function fields(place: Placed, reverts: readonly RevertOf<"issue">[]): EventDraft {
  const { issue, target } = place;
  const has = (field: IssueField) => reverts.some(({ facet }) => facet.field === field);
  return {
    type: "issue.updated",
    ...about(place),
    payload: {
      ...(has("title") ? { title: target.title, old_title: issue.title } : {}),
      ...(has("body") ? { body: target.body } : {}),
      ...(has("owner") ? { owner: target.owner, old_owner: issue.owner } : {}),
      ...marked(place, reverts),
    },
  };
}

function priority(place: Placed, reverts: readonly Revert[]): EventDraft {
  const { issue, target } = place;
  const payload = {
    ...(issue.priority === null ? {} : { old_priority: issue.priority }),
    ...marked(place, reverts),
  };
  return target.priority === null
    ? { type: "issue.priority_cleared", ...about(place), payload }
    : {
        type: "issue.priority_set",
        ...about(place),
        payload: { priority: target.priority, ...payload },
      };
}

/** A label that comes back has the author and the time that it had. */
function label(place: Placed, revert: RevertOf<"label">): EventDraft {
  const { label } = revert.facet;
  const payload = { label, ...marked(place, [revert]) };
  const was = place.drafting.plan.without.label(place.issue.uid, label);
  if (was === undefined) return { type: "issue.unlabeled", ...about(place), payload };
  const { author, created_at } = was;
  return { type: "issue.labeled", ...about(place), payload: { ...payload, author, created_at } };
}

function comment(place: Placed, revert: RevertOf<"comment">): EventDraft {
  const { drafting } = place;
  const { facet, to } = revert;
  return {
    type: "issue.comment_edited",
    ...about(place),
    payload: {
      comment_uid: facet.comment,
      body: typeof to === "string" ? to : COMMENT_TAKEN_BACK,
      edited_at: drafting.now,
      undo: markOf(drafting, [revert]),
    },
  };
}

/** Closed as it was, with the message and the evidence that it had. */
function closed(place: Placed, reverts: readonly Revert[]): EventDraft {
  const { drafting, issue, target } = place;
  const close = drafting.closes
    .get(issue.uid)
    ?.findLast(({ payload }) => payload.closed_at === target.closed_at);
  const { message, evidence, parent_uid = "", parent_short_id = "" } = close?.payload ?? {};
  return {
    type: "issue.closed",
    ...about(place),
    payload: {
      reason: target.closed_reason ?? "done",
      closed_at: target.closed_at ?? drafting.now,
      ...(message === undefined ? {} : { message }),
      ...(evidence === undefined ? {} : { evidence }),
      parent_uid,
      parent_short_id,
      undo: markOf(drafting, reverts),
    },
  };
}

function reopened(place: Placed, reverts: readonly Revert[]): EventDraft {
  const payload = { reopened_at: place.drafting.now, ...marked(place, reverts) };
  return { type: "issue.reopened", ...about(place), payload };
}

function deleted(place: Placed, reverts: readonly Revert[]): EventDraft {
  const { drafting, target } = place;
  return {
    type: "issue.soft_deleted",
    ...about(place),
    payload: {
      deleted_at: target.deleted_at ?? drafting.now,
      reason: "undo",
      undo: markOf(drafting, reverts),
    },
  };
}
