import type { State } from "../state.ts";
import { withEdits } from "./edits.ts";
import type { Detail } from "./state.ts";

export function commentsOf(detail: Detail | undefined) {
  return withEdits(detail?.show?.comments ?? [], detail?.events ?? []);
}

export function ownComments(
  { detail: { known: details }, session: { actor } }: Pick<State, "detail" | "session">,
  uid: string,
) {
  const comments = details.get(uid)?.show?.comments ?? [];
  return comments.filter(({ author }) => author === actor).toReversed();
}
