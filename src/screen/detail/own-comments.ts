import type { State } from "../state.ts";

/** The person's own comments on an issue, the newest first. */
export function ownComments(
  { detail: { known: details }, session: { actor } }: Pick<State, "detail" | "session">,
  uid: string,
) {
  const comments = details.get(uid)?.show?.comments ?? [];
  return comments.filter(({ author }) => author === actor).toReversed();
}
