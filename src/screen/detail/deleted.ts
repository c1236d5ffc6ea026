import type { Instant } from "../../base/clock.ts";
import { type Times, timePhrase } from "../times.ts";

interface LoggedDelete {
  readonly type: string;
  readonly actor: string;
}

/** A sentence that says when an issue was deleted, and by whom if `events` (the oldest first) have it. */
export function deletedSentence(
  how: Times,
  events: readonly LoggedDelete[] | undefined,
  at: Instant,
): string {
  const event = events?.findLast(({ type }) => type === "issue.soft_deleted");
  const whom = event === undefined ? "" : ` by ${event.actor}`;
  return `Deleted${whom} ${timePhrase(how, at)}.`;
}
