import type { CommentRow } from "../../domain/state.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";

/** A comment, as answers contain it. */
export function commentOut(comment: WithId<CommentRow>, issue: StoredIssue) {
  return {
    id: comment.id,
    uid: comment.uid,
    issue_id: issue.id,
    author: comment.author,
    body: comment.body,
    created_at: comment.created_at,
    ...(comment.teammate === null ? {} : { teammate: comment.teammate }),
  };
}
