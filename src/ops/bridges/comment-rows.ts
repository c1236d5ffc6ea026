import type { Instant } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { importedText } from "../../domain/bridges/comments-in.ts";
import type { ExternalComment } from "../../domain/bridges/values.ts";
import type { BridgeRow, ExternalCommentRow } from "../../store/types/bridges.ts";

/** The bridge that knows the comments, and the time of the write. */
export interface CommentPlace {
  readonly bridge: Pick<BridgeRow, "uid" | "issue_uid">;
  readonly now: Instant;
}

type Known = Pick<ExternalCommentRow, "state" | "other_id">;

/** The rows of a comment of the provider and one of the issue that are the same: each side is known by its own id. */
export function bothRows(
  place: CommentPlace,
  state: "imported" | "published",
  comment: ExternalComment,
  uid: string,
): readonly ExternalCommentRow[] {
  return [
    externalRow(place, comment, { state, other_id: uid }),
    localRow(place, { comment_id: uid, state, other_id: comment.id }),
  ];
}

/** The row of a comment of the provider as it was read now. Without `known` it is one that is not imported. */
export function externalRow(
  place: CommentPlace,
  comment: ExternalComment,
  { state, other_id }: Known = { state: "seen", other_id: null },
): ExternalCommentRow {
  return rowAt(place, {
    ...{ side: "external", comment_id: comment.id, state, other_id },
    revision: comment.revision,
    external_updated_at: comment.updated_at,
    body_digest: sha256Hex(importedText(comment)),
  });
}

/** The row of a comment of the issue: that it is on both sides, or that it is never published. */
function localRow(
  place: CommentPlace,
  row: Known & Pick<ExternalCommentRow, "comment_id">,
): ExternalCommentRow {
  const none = { revision: null, external_updated_at: null, body_digest: null };
  return rowAt(place, { side: "local", ...row, ...none });
}

/** The row of a comment of the issue that is never published. */
export function skippedRow(place: CommentPlace, comment_id: string): ExternalCommentRow {
  return localRow(place, { comment_id, state: "skipped", other_id: null });
}

type Noted = Omit<ExternalCommentRow, "binding_uid" | "issue_uid" | "created_at" | "updated_at">;

function rowAt({ bridge, now }: CommentPlace, row: Noted): ExternalCommentRow {
  return {
    ...{ binding_uid: bridge.uid, issue_uid: bridge.issue_uid },
    ...row,
    ...{ created_at: now, updated_at: now },
  };
}
