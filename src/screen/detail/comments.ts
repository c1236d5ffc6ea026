import type { State } from "../state.ts";
import { withEdits } from "./edits.ts";
import type { Detail } from "./state.ts";

export function commentsOf(detail: Detail | undefined) {
  return withEdits(detail?.show?.comments ?? [], detail?.events ?? []);
}

/** The comments that the person may edit, the newest first: their own, without those that the root of the issue owns. */
export function ownComments(
  { detail: { known: details }, session: { actor } }: Pick<State, "detail" | "session">,
  uid: string,
) {
  const detail = details.get(uid);
  const comments = detail?.show?.comments ?? [];
  const imported = importedComments(detail);
  return comments
    .filter((comment) => comment.author === actor && !imported.has(comment.uid))
    .toReversed();
}

/**
 * The comments that were imported from the root of the issue. In a copy that sends its changes, their author is the
 * person of its enrollment, so only the events that added them say where they come from.
 */
function importedComments(detail: Detail | undefined): ReadonlySet<unknown> {
  const there = detail?.show?.issue.external_root?.connector_instance;
  const added = (detail?.events ?? []).filter(({ type, payload }) => {
    // By the contract, the source of an event is an object.
    const source = payload["source"] as { readonly connector_instance?: string } | undefined;
    return (
      type === "issue.commented" && there !== undefined && source?.connector_instance === there
    );
  });
  return new Set(added.map(({ payload }) => payload["comment_uid"]));
}
