import type { Root } from "./values.ts";

export interface SeenState {
  /** The state of the root that was read last; `null` before the first read. */
  readonly last_external_state: string | null;
  /** The state and revision of the last request. */
  readonly requested_state: string | null;
  readonly requested_revision: string | null;
}

/** What people are asked to look at. */
export type Request = "completion" | "reopen";

/**
 * Returns what a change of the root's state asks of people; `undefined` for nothing. The status of the issue never
 * changes by it. One state of one revision asks once. A root that is complete asks nothing of an issue that is closed.
 */
export function requestOf(
  seen: SeenState,
  { state, revision }: Pick<Root, "state" | "revision">,
  status: "open" | "closed",
): Request | undefined {
  if (state === seen.last_external_state || state === "deleted") return undefined;
  if (seen.requested_state === state && seen.requested_revision === revision) return undefined;
  if (state === "complete") return status === "open" ? "completion" : undefined;
  return seen.last_external_state === "complete" ? "reopen" : undefined;
}

/** The texts of the comments that ask. */
export const REQUEST_TEXTS: Readonly<Record<Request, string>> = {
  completion:
    "The external root of this issue was completed. Verify the result, then close the issue.",
  reopen:
    "The external root of this issue was opened again. Check whether the issue must be reopened.",
};

/** The label that an issue gets with a request. */
export const REQUEST_LABEL = "needs-review";
