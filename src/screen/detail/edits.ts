interface Edit {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** `edited_at`: when the comment was last edited; `undefined` if the given events have no edit of it. */
type Edited<Comment> = Comment & { readonly edited_at: string | undefined };

/** Adds to each comment when it was last edited. The events of the issue, the oldest first, say this. */
export function withEdits<Comment extends { readonly uid: string }>(
  comments: readonly Comment[],
  events: readonly Edit[],
): readonly Edited<Comment>[] {
  const edits = new Map<unknown, string>();
  for (const { type, payload, created_at } of events)
    if (type === "issue.comment_edited") edits.set(payload["comment_uid"], created_at);
  return comments.map((comment) => ({ ...comment, edited_at: edits.get(comment.uid) }));
}
