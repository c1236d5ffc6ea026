import type { State } from "../state.ts";
import type { Detail } from "./state.ts";

type Comment = NonNullable<Detail["show"]>["comments"][number];

export interface ShownComment extends Comment {
  /** When the comment was last edited; `undefined` if it never was, or if the events are not loaded yet. */
  readonly edited_at: string | undefined;
}

export function commentsOf(detail: Detail | undefined): readonly ShownComment[] {
  const edits = new Map<unknown, string>();
  for (const { type, payload, created_at } of detail?.events ?? [])
    if (type === "issue.comment_edited") edits.set(payload["comment_uid"], created_at);
  const comments = detail?.show?.comments ?? [];
  return comments.map((comment) => ({ ...comment, edited_at: edits.get(comment.uid) }));
}

export function ownComments(
  { detail: { known: details }, session: { actor } }: Pick<State, "detail" | "session">,
  uid: string,
) {
  const comments = details.get(uid)?.show?.comments ?? [];
  return comments.filter(({ author }) => author === actor).toReversed();
}
