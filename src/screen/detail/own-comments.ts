import type { State } from "../state.ts";

/** The comments on an issue that the person wrote, the last first. */
export function ownComments({ details, actor }: Pick<State, "details" | "actor">, uid: string) {
  const comments = details.get(uid)?.show?.comments ?? [];
  return comments.filter(({ author }) => author === actor).toReversed();
}
