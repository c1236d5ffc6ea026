import { operationId } from "../../domain/bridges/comments-out.ts";
import type { Described, ExternalComment } from "../../domain/bridges/values.ts";
import { externalCommentResolved } from "../../domain/drafts/bridges.ts";
import type { Tx } from "../../store/types/store.ts";
import { noteBoth } from "./comment-rows.ts";
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
  const self = selfActor(described);
  for (let published = 0; published < MOST_PUBLISHED; published++) {
    const next = await run.write(markNext);
    if (next === undefined) return;
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

/** The comment whose answer was lost, or else the oldest that is not there yet, which is marked now. */
async function markNext(tx: Tx, { bridge, issue }: RunWrite): Promise<Next | undefined> {
  if (bridge.pending_comment_uid !== null)
    return await tx.comments.find(issue.uid, bridge.pending_comment_uid);
  const [next] = await tx.bridges.unpublished(bridge, 1);
  if (next === undefined) return undefined;
  await putBridge(tx, bridge, {
    pending_comment_uid: next.uid,
    pending_comment_started_at: tx.now,
  });
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
  await noteBoth({ tx, bridge }, "published", comment, pending_comment_uid);
  await putBridge(tx, bridge, NOT_PENDING);
  // The event names the comment that was pending.
  await tx.append(externalCommentResolved(issue, bridge, action, act));
}

export const NOT_PENDING = { pending_comment_uid: null, pending_comment_started_at: null } as const;
