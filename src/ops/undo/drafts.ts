import { invariant } from "../../base/invariant.ts";
import type { JsonValue } from "../../base/json.ts";
import type { EventDraft, Payload, StoredEvent } from "../../contract/events.ts";
import { ended, isUnreleased } from "../../domain/leases.ts";
import { type Peer, refOf } from "../../domain/links.ts";
import type { IssueRow, LinkRow, LinkType } from "../../domain/state.ts";
import type { Revert, UndoMark, UndoPlan } from "../../domain/undo/plan.ts";

export interface Drafting {
  readonly plan: UndoPlan;
  /** The whole history that the plan was made of. */
  readonly events: readonly StoredEvent[];
  readonly actor: string;
  readonly now: string;
  readonly batch_uid: string;
  peer(uid: string): Peer | undefined;
  /** The short id for an issue that goes back to a project it was in. */
  shortIdIn(projectUid: string, issue: IssueRow): Promise<string>;
}

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
  const { plan, actor, now } = drafting;
  const [issue, target] = [plan.now.issue(uid), plan.without.issue(uid)];
  invariant(issue !== undefined, "what is put back is there");
  const ofField = (field: string) =>
    reverts.filter(({ facet }) => (facet.of === "issue" ? facet.field : facet.of) === field);
  const moved = ofField("project").length > 0 && target !== undefined;
  const project_uid = moved ? target.project_uid : issue.project_uid;
  const place = { drafting, issue, target: target ?? issue, project_uid };
  const about = { actor, project_uid, issue_uid: uid };
  const marked = (own: readonly Revert[]) => ({ undo: markOf(drafting, own), updated_at: now });
  const drafts: (EventDraft | undefined)[] = [];
  for (const revert of ofField("lease")) drafts.push(release(place, revert));
  if (moved) drafts.push(await move(place, ofField("project")));
  const [deleted, status] = [ofField("deleted"), ofField("status")];
  if (deleted.length > 0 && place.target.deleted_at === null)
    drafts.push({
      type: "issue.restored",
      ...about,
      payload: { restored_at: now, ...marked(deleted) },
    });
  drafts.push(metadata(place, ofField("metadata")), fields(place, reverts));
  drafts.push(priority(place, ofField("priority")));
  for (const revert of ofField("label")) drafts.push(label(place, revert));
  drafts.push(...links(place, [...ofField("parent"), ...ofField("link")]));
  for (const revert of ofField("comment")) drafts.push(comment(place, revert));
  if (status.length > 0)
    drafts.push(
      place.target.status === "closed"
        ? close(place, status)
        : {
            type: "issue.reopened",
            ...about,
            payload: { reopened_at: now, ...marked(status) },
          },
    );
  const exists = ofField("exists");
  const gone = exists.length > 0 || (deleted.length > 0 && place.target.deleted_at !== null);
  if (gone)
    drafts.push({
      type: "issue.soft_deleted",
      ...about,
      payload: {
        deleted_at: exists.length > 0 ? now : (place.target.deleted_at ?? now),
        reason: "undo",
        undo: markOf(drafting, exists.length > 0 ? exists : deleted),
      },
    });
  return drafts.filter((draft) => draft !== undefined);
}

interface Placed {
  readonly drafting: Drafting;
  readonly issue: IssueRow;
  /** As the issue shall be. */
  readonly target: IssueRow;
  /** Where it is when this is written. */
  readonly project_uid: string;
}

function markOf({ batch_uid }: Drafting, reverts: readonly Revert[]): UndoMark {
  return {
    batch_uid,
    events: [...new Set(reverts.flatMap(({ events }) => events.map(({ uid }) => uid)))],
  };
}

function about({ drafting: { actor }, issue, project_uid }: Placed) {
  return { actor, project_uid, issue_uid: issue.uid };
}

function release({ drafting, issue }: Placed, revert: Revert): EventDraft | undefined {
  const lease = drafting.plan.now.lease(issue.uid);
  if (!isUnreleased(lease)) return undefined;
  const { actor, now } = drafting;
  const draft = ended("claim.force_released", issue, lease, "undo", { actor, now });
  return { ...draft, payload: { ...draft.payload, undo: markOf(drafting, [revert]) } };
}

async function move(
  { drafting, issue, target }: Placed,
  reverts: readonly Revert[],
): Promise<EventDraft<"issue.moved">> {
  return {
    type: "issue.moved",
    actor: drafting.actor,
    project_uid: target.project_uid,
    issue_uid: issue.uid,
    payload: {
      from_project_uid: issue.project_uid,
      to_project_uid: target.project_uid,
      from_short_id: issue.short_id,
      to_short_id: await drafting.shortIdIn(target.project_uid, { ...issue, ...target }),
      updated_at: drafting.now,
      undo: markOf(drafting, reverts),
    },
  };
}

function metadata(place: Placed, reverts: readonly Revert[]): EventDraft | undefined {
  if (reverts.length === 0) return undefined;
  const { drafting, issue } = place;
  const diff: Record<string, { from?: JsonValue; to?: JsonValue }> = {};
  for (const { facet, from, to } of reverts) {
    if (facet.of !== "metadata") continue;
    diff[facet.key] = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  }
  return {
    type: "issue.metadata_updated",
    ...about(place),
    payload: {
      diff,
      revision_new: issue.revision + 1,
      updated_at: drafting.now,
      undo: markOf(drafting, reverts),
    },
  };
}

/** Title, body and owner in one event, as an edit writes them. */
function fields(place: Placed, reverts: readonly Revert[]): EventDraft | undefined {
  const { drafting, issue, target } = place;
  const own = reverts.filter(({ facet }) => facet.of === "issue" && EDITED.has(facet.field));
  if (own.length === 0) return undefined;
  const has = (field: string) =>
    own.some(({ facet }) => facet.of === "issue" && facet.field === field);
  return {
    type: "issue.updated",
    ...about(place),
    payload: {
      ...(has("title") ? { title: target.title, old_title: issue.title } : {}),
      ...(has("body") ? { body: target.body } : {}),
      ...(has("owner") ? { owner: target.owner, old_owner: issue.owner } : {}),
      updated_at: drafting.now,
      undo: markOf(drafting, own),
    },
  };
}

const EDITED: ReadonlySet<string> = new Set(["title", "body", "owner"]);

function priority(place: Placed, reverts: readonly Revert[]): EventDraft | undefined {
  if (reverts.length === 0) return undefined;
  const { drafting, issue, target } = place;
  const payload = {
    ...(issue.priority === null ? {} : { old_priority: issue.priority }),
    updated_at: drafting.now,
    undo: markOf(drafting, reverts),
  };
  return target.priority === null
    ? { type: "issue.priority_cleared", ...about(place), payload }
    : {
        type: "issue.priority_set",
        ...about(place),
        payload: { priority: target.priority, ...payload },
      };
}

function label(place: Placed, revert: Revert): EventDraft | undefined {
  const { drafting, issue } = place;
  const { facet, to } = revert;
  if (facet.of !== "label") return undefined;
  const payload = {
    label: facet.label,
    updated_at: drafting.now,
    undo: markOf(drafting, [revert]),
  };
  if (to === undefined) return { type: "issue.unlabeled", ...about(place), payload };
  const { author, created_at } = drafting.plan.without.label(issue.uid, facet.label) ?? {};
  const was = author === undefined || created_at === undefined ? {} : { author, created_at };
  return { type: "issue.labeled", ...about(place), payload: { ...payload, ...was } };
}

function comment(place: Placed, revert: Revert): EventDraft | undefined {
  const { facet, to } = revert;
  if (facet.of !== "comment") return undefined;
  const { drafting } = place;
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
function close(place: Placed, reverts: readonly Revert[]): EventDraft {
  const { drafting, issue, target } = place;
  const close = drafting.events.findLast(
    (event): event is StoredEvent<"issue.closed"> =>
      event.type === "issue.closed" &&
      event.issue_uid === issue.uid &&
      event.payload.closed_at === target.closed_at,
  );
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

/** Links go in one event; those that come back have the author and the time that they had, so one event for each of these. */
function links(place: Placed, reverts: readonly Revert[]): readonly EventDraft[] {
  const { drafting, issue } = place;
  const removed: Told[] = [];
  const added = new Map<string, (Told & { readonly row: LinkRow })[]>();
  for (const revert of reverts) {
    const { facet } = revert;
    const [uid, type] = [facet.uid, facet.of === "link" ? facet.type : ("parent" as const)];
    if (facet.of !== "link" && facet.of !== "parent") continue;
    const [from, to] =
      facet.of === "link"
        ? [revert.from && facet.peer, revert.to && facet.peer]
        : [revert.from, revert.to];
    if (typeof to === "string") {
      const row = linkRow(drafting.plan, uid, to, type);
      const key = `${row.author}\u0000${row.created_at}`;
      added.set(key, [...(added.get(key) ?? []), { type, peer: to, revert, row }]);
    }
    if (typeof from === "string") removed.push({ type, peer: from, revert });
  }
  const draft = (
    told: readonly Told[],
    what: "added" | "removed",
    was: Partial<Pick<LinkRow, "author" | "created_at">>,
  ): EventDraft => ({
    type: "issue.links_changed",
    ...about(place),
    payload: {
      ...was,
      ...linksPayload(drafting, place.project_uid, told, what),
      updated_at: drafting.now,
      undo: markOf(
        drafting,
        told.map(({ revert }) => revert),
      ),
    },
  });
  return [
    ...(removed.length === 0 ? [] : [draft(removed, "removed", {})]),
    ...[...added.values()].map((told) => {
      const { author, created_at } = told[0]?.row ?? { author: issue.author, created_at: "" };
      return draft(told, "added", { author, created_at });
    }),
  ];
}

/** A link as its issue tells it. `related` is kept from the smaller uid, and both ends may tell it. */
interface Told {
  readonly type: LinkType;
  readonly peer: string;
  readonly revert: Revert;
}

function linkRow({ without }: UndoPlan, uid: string, peer: string, type: LinkType): LinkRow {
  const row = type === "parent" ? without.parentLink(uid) : without.link(uid, peer, type);
  invariant(row !== undefined, "a link that comes back was there");
  return row;
}

function linksPayload(
  drafting: Drafting,
  projectUid: string,
  told: readonly Told[],
  what: "added" | "removed",
): Omit<Payload<"issue.links_changed">, "updated_at"> {
  const named = (uid: string): string => {
    const peer = drafting.peer(uid);
    return peer === undefined ? "" : refOf(projectUid, peer);
  };
  const of = (type: LinkType) => told.filter((each) => each.type === type).map(({ peer }) => peer);
  const list = (type: "blocks" | "related") => {
    const uids = of(type);
    if (uids.length === 0) return {};
    return { [`${type}_${what}`]: uids.map(named), [`${type}_${what}_uids`]: uids };
  };
  const [parent] = of("parent");
  const verb = what === "added" ? "set" : "removed";
  return {
    ...(parent === undefined
      ? {}
      : { [`parent_${verb}`]: named(parent), [`parent_${verb}_uid`]: parent }),
    ...list("blocks"),
    ...list("related"),
  };
}
