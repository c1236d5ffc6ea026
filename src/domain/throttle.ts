import { type CloseReason, normalizeMessage } from "./close.ts";

/**
 * This file guards against closing siblings in bulk without looking at each
 * (docs/contract/http-api.md#64-closing-and-its-guards).
 */

/** How long after a close the same actor must not close a sibling with the same message. */
export const DUPLICATE_WINDOW_MS = 30 * 60_000;

/** An earlier close of a sibling by the same actor. */
export interface SiblingClose {
  readonly uid: string;
  readonly atMs: number;
  readonly reason: string;
  readonly message: string;
}

export interface ThrottleTerms {
  readonly nowMs: number;
  readonly windowMs: number;
  /** Number of closes that are allowed within the window. */
  readonly limit: number;
}

export type Throttle =
  | { readonly reason: "sibling-burst"; readonly cohort: readonly string[] }
  | { readonly reason: "duplicate-message"; readonly prior: string };

/**
 * Returns why another close is refused now, or `undefined`. A close that is exactly as old as a window does not count
 * any more.
 */
export function throttle(
  siblings: readonly SiblingClose[],
  close: { readonly reason: CloseReason; readonly message: string },
  { nowMs, windowMs, limit }: ThrottleTerms,
): Throttle | undefined {
  const closedWithin = (ms: number) => siblings.filter(({ atMs }) => nowMs - atMs < ms);
  const burst = closedWithin(windowMs);
  if (burst.length >= limit)
    return { reason: "sibling-burst", cohort: burst.map(({ uid }) => uid) };
  const message = normalizeMessage(close.message);
  if (message === "" || !NEEDS_OWN_MESSAGE.has(close.reason)) return undefined;
  const prior = closedWithin(DUPLICATE_WINDOW_MS).find(
    (sibling) =>
      NEEDS_OWN_MESSAGE.has(sibling.reason) && normalizeMessage(sibling.message) === message,
  );
  return prior === undefined ? undefined : { reason: "duplicate-message", prior: prior.uid };
}

/**
 * The close reasons that say that something was done on the issue itself. A close with such a reason must not repeat
 * the message of a sibling's close.
 */
const NEEDS_OWN_MESSAGE: ReadonlySet<string> = new Set<CloseReason>(["done", "audit-no-change"]);
