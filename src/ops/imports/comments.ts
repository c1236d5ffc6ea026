import { sha256Hex } from "../../base/hash.ts";
import type { EventDraft } from "../../contract/events.ts";
import { issueCommented } from "../../domain/drafts/issues.ts";
import { commentKey, type KnownComments } from "../../domain/imports/comments.ts";
import { recognizeComments } from "../../domain/imports/recognize-comments.ts";
import type { Batch, ImportComment, ImportItem, StatedItem } from "./batch.ts";
import { type ImportContext, instant } from "./fields.ts";

const NO_COMMENTS: KnownComments = new Map();

/**
 * Gives the comments of an item the names that svc has stored for them. A comment without a time in the source gets
 * one.
 */
export function withKnownComments(
  { imported, known }: Pick<Batch, "imported" | "known">,
  { comments, ...item }: StatedItem,
): ImportItem {
  if (comments === undefined) return item;
  const earlier = known.get(imported.get(item.external_id) ?? "");
  const stated = comments.map(({ created_at, ...comment }) => ({
    ...comment,
    created_at: created_at === undefined ? undefined : instant(created_at),
  }));
  const recognized = recognizeComments(earlier?.imported.comments ?? NO_COMMENTS, stated);
  return {
    ...item,
    comments: recognized.map(({ created_at = instant(item.created_at), ...comment }) => ({
      ...comment,
      created_at,
    })),
  };
}

/** Adds the comments of a new issue. Returns their number. */
export async function importComments(
  context: ImportContext,
  issueUid: string,
  { comments = [] }: ImportItem,
): Promise<number> {
  const issue = { uid: issueUid, project_uid: context.project.uid };
  for (const comment of comments) await context.tx.append(commented(context, issue, comment));
  return comments.length;
}

/** Returns the event that adds a comment of the source. The comment keeps its author and time from the source. */
export function commented(
  { ids, actor, source, batch_uid }: ImportContext,
  issue: { readonly uid: string; readonly project_uid: string },
  { external_id, author, body, created_at }: ImportComment,
): EventDraft<"issue.commented"> {
  const mark = { key: commentKey(source, external_id), fingerprint: sha256Hex(body) };
  const act = { actor, now: instant(created_at), import: batch_uid };
  return issueCommented(issue, { uid: ids.ulid(), author, body, mark }, act);
}
