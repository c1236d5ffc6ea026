import type { State } from "../state.ts";

/** The comments on an issue that the person wrote, the last first. */
export function ownComments(
  { detail: { known: details }, session: { actor } }: Pick<State, "detail" | "session">,
  uid: string,
) {
  const comments = details.get(uid)?.show?.comments ?? [];
  return comments.filter(({ author }) => author === actor).toReversed();
}
