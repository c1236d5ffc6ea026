import { invariant } from "../../base/invariant.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { operationId } from "../../domain/bridges/comments-out.ts";
import type { Described, ExternalComment } from "../../domain/bridges/values.ts";
import { externalCommentResolved } from "../../domain/drafts/bridges.ts";
import type { CommentOfIssue } from "../../store/types/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { bothRows } from "./comment-rows.ts";
import { PORTION } from "./comments-taken.ts";
import { unusable } from "./faults.ts";
import { putBridge, type Run, type RunWrite } from "./run.ts";

/** How many comments a run publishes at most; the next run goes on. */
const MOST_PUBLISHED = 100;

/**
 * Writes comments of the issue to the root, oldest first. A comment is marked before the call: if the answer is lost,
 * the next run repeats the call with the same operation id, and no listing is guessed from.
 */
export async function publishComments(run: Run, described: Described): Promise<void> {
  const { publishes, rootKey } = await run.write(async (_tx, { bridge }) => ({
    publishes: bridge.publish_comments === 1,
    rootKey: bridge.external_root_key,
  }));
  if (!publishes) return;
  const to = { rootKey, self: selfActor(described) };
  const lost = await run.write(pendingComment);
  if (lost !== undefined) await publish(run, to, lost);
  const most = lost === undefined ? MOST_PUBLISHED : MOST_PUBLISHED - 1;
  for (const uid of (await unpublished(run)).slice(0, most)) {
    const next = await run.write(async (tx, now) => await mark(tx, now, uid));
    if (next !== undefined) await publish(run, to, next);
  }
}

/** The uids of the comments of which the bridge has no row, oldest first. A run looks for them once. */
async function unpublished({ deps: { store }, claim }: Run): Promise<readonly string[]> {
  const bridge = await store.read(async ({ bridges }) => await bridges.byUid(claim.binding_uid));
  if (bridge === undefined) return [];
  const found: CommentOfIssue[] = [];
  let last: CommentOfIssue | undefined;
  do {
    const after = last?.id ?? 0;
    const page = await store.read(
      async ({ bridges }) => await bridges.commentsAfter(bridge, after, PORTION),
    );
    found.push(...page.filter(({ known }) => known === 0));
    last = page.at(-1);
    await yieldToLoop();
  } while (last !== undefined);
  return found.toSorted(byTime).map(({ uid }) => uid);
}

/** Comments of one moment stay in the order in which they were stored. */
function byTime({ created_at: left }: CommentOfIssue, { created_at: right }: CommentOfIssue) {
  return Number(left > right) - Number(left < right);
}

async function publish(
  run: Run,
  { rootKey, self }: { readonly rootKey: string; readonly self: string },
  next: Next,
): Promise<void> {
  const comment = await run.call(
    async (client) =>
      await client.publishComment({
        root_key: rootKey,
        body: next.body,
        operation_id: operationId(run.claim.binding_uid, next.uid),
        self_actor_id: self,
      }),
  );
  await run.write(async (tx, now) => await notePublished(tx, now, next, comment));
}

/** Throws unless the connector can publish comments. */
export function selfActor({ capabilities, self_actor_id }: Described): string {
  if (!capabilities.includes("publish_comment") || self_actor_id === undefined)
    throw unusable("publish_not_supported");
  return self_actor_id;
}

interface Next {
  readonly uid: string;
  readonly body: string;
}

/** The comment whose answer was lost. */
async function pendingComment(tx: Tx, { bridge, issue }: RunWrite): Promise<Next | undefined> {
  if (bridge.pending_comment_uid === null) return undefined;
  const next = await tx.comments.find(issue.uid, bridge.pending_comment_uid);
  invariant(next !== undefined, "a comment is deleted only with its issue");
  return next;
}

/** Marks a comment before it is sent. Undefined if it is known or gone by now. */
async function mark(tx: Tx, { bridge, issue }: RunWrite, uid: string): Promise<Next | undefined> {
  if ((await tx.bridges.localComment(bridge.uid, uid)) !== undefined) return undefined;
  const next = await tx.comments.find(issue.uid, uid);
  if (next === undefined) return undefined;
  await putBridge(tx, bridge, { pending_comment_uid: uid, pending_comment_started_at: tx.now });
  return next;
}

async function notePublished(
  tx: Tx,
  { bridge, issue, act }: RunWrite,
  sent: Next,
  comment: ExternalComment,
): Promise<void> {
  const now = await tx.comments.find(issue.uid, sent.uid);
  if (now?.body !== sent.body) throw unusable("comment_edited");
  const [known] = (await tx.bridges.externalComments(bridge.uid, [comment.id])).values();
  // The provider answered with a comment that it had before.
  if (known !== undefined && known.other_id !== sent.uid) throw unusable("comment_known");
  await endPending(tx, { bridge, issue, act }, "published", comment);
}

type Ending = Pick<RunWrite, "bridge" | "issue" | "act">;

/** Notes that the pending comment is this one of the provider. */
export async function endPending(
  tx: Tx,
  { bridge, issue, act }: Ending,
  action: "published" | "adopt",
  comment: ExternalComment,
): Promise<void> {
  const pending_comment_uid = bridge.pending_comment_uid;
  if (pending_comment_uid === null) return;
  const place = { bridge, now: tx.now };
  await tx.unfolded.putAll(
    "external_comment",
    bothRows(place, "published", comment, pending_comment_uid),
  );
  await putBridge(tx, bridge, NOT_PENDING);
  // The event names the comment that was pending.
  await tx.append(externalCommentResolved(issue, bridge, action, act));
}

export const NOT_PENDING = { pending_comment_uid: null, pending_comment_started_at: null } as const;
