import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/events.ts";
import {
  type CommentAction,
  commentsIn,
  type KnownComment,
  type PendingComment,
} from "../../domain/bridges/comments-in.ts";
import type { ExternalComment } from "../../domain/bridges/values.ts";
import { commentEdited, issueCommented } from "../../domain/drafts/issues.ts";
import type {
  ExternalCommentRow,
  KnownExternalComment,
  StoredBridge,
} from "../../store/types/bridges.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { bothRows, type CommentPlace, externalRow } from "./comment-rows.ts";
import { unusable } from "./faults.ts";
import type { Run, RunWrite } from "./run.ts";
import { commentSource } from "./sources.ts";

/** How many comments one read or write handles. Between them, requests are served. */
export const PORTION = 100;

export interface CommentCounts {
  readonly created: number;
  readonly edited: number;
}

/**
 * Brings the comments of the root into the issue. All are judged before the first is written. If the run ends between
 * two writes, the next one goes on, since each comment is known by its row.
 */
export async function takeComments(
  run: Run,
  comments: readonly ExternalComment[],
  selfActorId: string | undefined,
): Promise<CommentCounts> {
  const planned = await plan(run, comments, selfActorId);
  for (const portion of portionsOf(planned))
    await run.write(async (tx, now) => await carryOut(run, tx, now, portion));
  const countOf = (kind: CommentAction["kind"]) =>
    planned.filter(({ action }) => action.kind === kind).length;
  return { created: countOf("create"), edited: countOf("edit") };
}

function* portionsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += PORTION) yield all.slice(from, from + PORTION);
}

interface Planned {
  readonly action: CommentAction;
  /** What the bridge knew of the comment. */
  readonly before: ExternalCommentRow | undefined;
}

/** Only runs of the bridge change what it knows of comments, and each write checks the claim of this run. */
async function plan(
  { deps: { store }, claim }: Run,
  comments: readonly ExternalComment[],
  selfActorId: string | undefined,
): Promise<readonly Planned[]> {
  const { uid, pending } = await store.read(async (reader) => {
    const bridge = await reader.bridges.byUid(claim.binding_uid);
    if (bridge === undefined) throw new SvcError("external_root_claim_lost", {});
    return { uid: bridge.uid, pending: await pendingComment(reader, bridge, selfActorId) };
  });
  const planned: Planned[] = [];
  for (const portion of portionsOf(comments)) {
    const ids = portion.map(({ id }) => id);
    const rows = await store.read(async ({ bridges }) => await bridges.knownComments(uid, ids));
    const known = new Map([...rows].map(([id, row]) => [id, knownComment(row)]));
    const decided = commentsIn(portion, { known, pending });
    if (decided.kind === "fault") throw unusable(`comment_${decided.fault}`);
    for (const action of decided.actions)
      planned.push({ action, before: rows.get(action.comment.id)?.row });
    await yieldToLoop();
  }
  return planned;
}

function knownComment({ row, local }: KnownExternalComment): KnownComment {
  const { state, other_id } = row;
  const read = {
    revision: row.revision ?? "",
    updated_at: row.external_updated_at ?? "",
    digest: row.body_digest ?? "",
  };
  if (state === "imported" && other_id !== null)
    return { kind: "imported", ...read, comment_uid: other_id, local: local ?? "" };
  return { kind: state === "published" ? "published" : "seen", ...read };
}

async function pendingComment(
  { comments }: Pick<Reader, "comments">,
  { issue_uid, pending_comment_uid }: StoredBridge,
  self_actor_id: string | undefined,
): Promise<PendingComment | undefined> {
  if (pending_comment_uid === null) return undefined;
  const comment = await comments.find(issue_uid, pending_comment_uid);
  return comment && { body: comment.body, self_actor_id };
}

async function carryOut(
  { deps: { ids } }: Run,
  tx: Tx,
  now: RunWrite,
  planned: readonly Planned[],
): Promise<void> {
  const { bridge, issue, act } = now;
  const place: CommentPlace = { bridge, now: tx.now };
  const drafts: EventDraft[] = [];
  const rows: ExternalCommentRow[] = [];
  for (const { action, before } of planned) {
    const { comment } = action;
    const source = commentSource(bridge, comment);
    if (action.kind === "create") {
      const uid = ids.ulid();
      const written = { uid, author: act.actor, body: comment.body, source };
      drafts.push(issueCommented(issue, written, { ...act, now: comment.created_at }));
      rows.push(...bothRows(place, "imported", comment, uid));
      continue;
    }
    if (action.kind === "edit")
      drafts.push(commentEdited(issue, action.comment_uid, action.text, act, source));
    rows.push(externalRow(place, comment, before));
  }
  if (drafts.length > 0) await tx.appendAll(drafts);
  await tx.unfolded.putAll("external_comment", rows);
}
