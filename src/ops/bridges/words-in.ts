import { MAX_ISSUE_LABELS } from "../../contract/limits.ts";
import {
  type CommentAction,
  commentsIn,
  type KnownComment,
  type PendingComment,
} from "../../domain/bridges/comments-in.ts";
import { REQUEST_LABEL, REQUEST_TEXTS, requestOf } from "../../domain/bridges/lifecycle.ts";
import { rootDigest, rootIn, type SeenRoot } from "../../domain/bridges/root-in.ts";
import type { ExternalComment, Root } from "../../domain/bridges/values.ts";
import {
  commentEdited,
  issueCommented,
  issueLabeled,
  issueUpdated,
} from "../../domain/drafts/issues.ts";
import type { BridgeRow, ExternalCommentRow } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { type CommentPlace, noteBoth, noteLocal, noteSeen } from "./comment-rows.ts";
import { unusable } from "./faults.ts";
import { putBridge, type Run, type RunWrite } from "./run.ts";
import { commentSource, rootSource } from "./sources.ts";

/** Gives the issue the title and text of its root. Returns whether one of them changed. */
export async function takeRoot(run: Run, root: Root): Promise<boolean> {
  return await run.write(async (tx, { bridge, issue, act }) => {
    const decided = rootIn(seenRoot(bridge), issue, root);
    if (decided.kind === "fault") throw unusable(`root_${decided.fault}`);
    if (decided.kind === "update") {
      const { title, body } = decided.to;
      const to = {
        ...(title === issue.title ? {} : { title }),
        ...(body === issue.body ? {} : { body }),
      };
      await tx.append(issueUpdated(issue, to, act, rootSource(bridge, root)));
    }
    await putBridge(tx, bridge, rootColumns(root));
    return decided.kind === "update";
  });
}

function seenRoot(bridge: BridgeRow): SeenRoot | undefined {
  const {
    last_external_revision: revision,
    last_external_updated_at: updated_at,
    last_external_digest: digest,
  } = bridge;
  return revision === null || updated_at === null || digest === null
    ? undefined
    : { revision, updated_at, digest };
}

/** What a bridge remembers of a root that was read, but for its state. */
export function rootColumns(root: Root) {
  return {
    last_external_revision: root.revision,
    last_external_updated_at: root.updated_at,
    last_external_digest: rootDigest(root),
  };
}

export interface CommentCounts {
  readonly created: number;
  readonly edited: number;
}

/** Brings the comments of the root into the issue. */
export async function takeComments(
  run: Run,
  comments: readonly ExternalComment[],
  selfActorId: string | undefined,
): Promise<CommentCounts> {
  return await run.write(async (tx, now) => {
    const { bridge, issue } = now;
    const ids = comments.map(({ id }) => id);
    const rows = await tx.bridges.externalComments(bridge.uid, ids);
    const known = new Map<string, KnownComment>();
    for (const [id, row] of rows) known.set(id, await knownComment(tx, issue.uid, row));
    const pending = await pendingComment(tx, now, selfActorId);
    const plan = commentsIn(comments, { known, pending });
    if (plan.kind === "fault") throw unusable(`comment_${plan.fault}`);
    for (const action of plan.actions) await carryOut(run, tx, now, action, rows);
    const countOf = (kind: CommentAction["kind"]) =>
      plan.actions.filter((action) => action.kind === kind).length;
    return { created: countOf("create"), edited: countOf("edit") };
  });
}

async function knownComment(
  tx: Tx,
  issueUid: string,
  { state, revision, other_id, external_updated_at, body_digest }: ExternalCommentRow,
): Promise<KnownComment> {
  const read = {
    revision: revision ?? "",
    updated_at: external_updated_at ?? "",
    digest: body_digest ?? "",
  };
  if (state !== "imported" || other_id === null)
    return { kind: state === "published" ? "published" : "seen", ...read };
  const comment = await tx.comments.find(issueUid, other_id);
  return { kind: "imported", ...read, comment_uid: other_id, local: comment?.body ?? "" };
}

async function pendingComment(
  tx: Tx,
  { bridge, issue }: RunWrite,
  self_actor_id: string | undefined,
): Promise<PendingComment | undefined> {
  if (bridge.pending_comment_uid === null) return undefined;
  const comment = await tx.comments.find(issue.uid, bridge.pending_comment_uid);
  return comment && { body: comment.body, self_actor_id };
}

async function carryOut(
  { deps }: Run,
  tx: Tx,
  { bridge, issue, act }: RunWrite,
  action: CommentAction,
  rows: ReadonlyMap<string, ExternalCommentRow>,
): Promise<void> {
  const { comment } = action;
  const place: CommentPlace = { tx, bridge };
  const source = commentSource(bridge, comment);
  if (action.kind === "create") {
    const uid = deps.ids.ulid();
    const written = { uid, author: act.actor, body: comment.body, source };
    const draft = issueCommented(issue, written, { ...act, now: comment.created_at });
    await tx.append(draft);
    await noteBoth(place, "imported", comment, uid);
  } else if (action.kind === "edit") {
    const draft = commentEdited(issue, action.comment_uid, action.text, act, source);
    await tx.append(draft);
    await noteBoth(place, "imported", comment, action.comment_uid);
  } else {
    const before = rows.get(comment.id);
    if (before?.state === "imported" && before.other_id !== null)
      await noteBoth(place, "imported", comment, before.other_id);
    else await noteSeen(place, comment, before);
  }
}

export interface Requests {
  readonly completion: boolean;
  readonly reopen: boolean;
}

/** Asks people to look at the issue, if the root was completed or opened again. Its status never changes by it. */
export async function askPeople(run: Run, root: Root): Promise<Requests> {
  return await run.write(async (tx, { bridge, issue, act }) => {
    const request = requestOf(bridge, root, issue.status);
    if (request !== undefined) {
      const uid = run.deps.ids.ulid();
      const written = { uid, author: act.actor, body: REQUEST_TEXTS[request] };
      await tx.append(issueCommented(issue, written, act));
      // The provider knows it already.
      await noteLocal({ tx, bridge }, { comment_id: uid, state: "skipped", other_id: null });
      const labels = await tx.labels.of(issue.uid);
      const isNew = labels.every(({ label }) => label !== REQUEST_LABEL);
      if (isNew && labels.length < MAX_ISSUE_LABELS)
        await tx.append(issueLabeled(issue, REQUEST_LABEL, act));
    }
    await putBridge(tx, bridge, {
      last_external_state: root.state,
      ...(request === undefined || root.state === "deleted"
        ? {}
        : { requested_state: root.state, requested_revision: root.revision }),
    });
    return { completion: request === "completion", reopen: request === "reopen" };
  });
}
