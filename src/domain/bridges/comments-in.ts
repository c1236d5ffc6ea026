import type { Instant } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { isInvisible } from "../../base/visible.ts";
import type { ExternalComment } from "./values.ts";

/** The text of an imported comment that was deleted at the provider. */
export const DELETED_TEXT = "[deleted externally]";

/**
 * What the binding remembers of one comment of the provider:
 * - `seen`: it was there before the bind, or was deleted before it was imported.
 * - `published`: svc wrote it.
 * - `imported`: the issue has a comment with its words.
 */
export type KnownComment = {
  readonly revision: string;
  readonly updated_at: Instant;
  /** SHA-256 of the text that was read last: `importedText`. */
  readonly digest: string;
} & (
  | { readonly kind: "seen" | "published" }
  | {
      readonly kind: "imported";
      readonly comment_uid: string;
      /** The text that the comment has now. */
      readonly local: string;
    }
);

/** A comment that is being published: the provider may have it already, and svc does not know its id. */
export interface PendingComment {
  readonly body: string;
  /** The author of what svc publishes, if it is known. */
  readonly self_actor_id: string | undefined;
}

export type CommentAction =
  /** The issue gets a comment, with the provider's `created_at`. */
  | { readonly kind: "create"; readonly comment: ExternalComment }
  /** The text of the imported comment becomes `text`. */
  | {
      readonly kind: "edit";
      readonly comment: ExternalComment;
      readonly comment_uid: string;
      readonly text: string;
    }
  /** Only what is remembered changes: the comment is to be known with this revision. */
  | { readonly kind: "note"; readonly comment: ExternalComment };

/** Faults: a live comment without a visible character or with NUL; the same revision with another text. */
export type CommentsIn =
  | { readonly kind: "plan"; readonly actions: readonly CommentAction[] }
  | { readonly kind: "fault"; readonly fault: "blank" | "changed"; readonly id: string };

interface Known {
  readonly known: ReadonlyMap<string, KnownComment>;
  readonly pending: PendingComment | undefined;
}

/**
 * Plans what the provider's comments change, in their order. An older version of a known comment is ignored, and a new
 * revision with the same text brings no comment. One fault stops all of them: nothing of a list that breaks a rule is
 * believed (docs/contract/connectors.md#6-the-reconcile).
 */
export function commentsIn(comments: readonly ExternalComment[], known: Known): CommentsIn {
  const actions: CommentAction[] = [];
  for (const comment of comments) {
    const action = actionOf(comment, known);
    if (action === "blank" || action === "changed")
      return { kind: "fault", fault: action, id: comment.id };
    if (action !== undefined) actions.push(action);
  }
  return { kind: "plan", actions };
}

function actionOf(
  comment: ExternalComment,
  { known, pending }: Known,
): CommentAction | "blank" | "changed" | undefined {
  if (isBlank(comment)) return "blank";
  const before = known.get(comment.id);
  if (before !== undefined && comment.updated_at < before.updated_at) return undefined;
  if (before?.kind === "imported") return changeOf(comment, before);
  if (before?.revision === comment.revision) return undefined;
  const hasSameText = before !== undefined && sha256Hex(importedText(comment)) === before.digest;
  if (comment.deleted || hasSameText) return { kind: "note", comment };
  const isWaiting = before === undefined && pending !== undefined && mayBe(pending, comment);
  return isWaiting ? undefined : { kind: "create", comment };
}

/** Whether it is a live comment that an issue cannot have: without a visible character, or with NUL. */
export function isBlank({ deleted, body }: ExternalComment): boolean {
  return !deleted && (isInvisible(body) || body.includes("\0"));
}

/**
 * Whether a comment whose answer was lost may be this one. It waits until that is known. Both texts may have been
 * edited since, so the author decides if it is known.
 */
function mayBe({ body, self_actor_id }: PendingComment, comment: ExternalComment): boolean {
  return self_actor_id === undefined ? comment.body === body : comment.author.id === self_actor_id;
}

function changeOf(
  comment: ExternalComment,
  before: Extract<KnownComment, { kind: "imported" }>,
): CommentAction | "changed" | undefined {
  const text = importedText(comment);
  const isSameRevision = comment.revision === before.revision;
  if (isSameRevision && sha256Hex(text) !== before.digest) return "changed";
  if (text !== before.local)
    return { kind: "edit", comment, comment_uid: before.comment_uid, text };
  return isSameRevision ? undefined : { kind: "note", comment };
}

/** The text that the comment gets. */
export function importedText({ deleted, body }: ExternalComment): string {
  return deleted ? DELETED_TEXT : body;
}
