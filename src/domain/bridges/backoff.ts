/** The first wait after a failure, and the longest one. */
const FIRST_MS = 30_000;
export const MOST_MS = 30 * 60_000;

/**
 * Returns how long a binding waits after a failed run, in ms: 30 s, doubled by each failure before this one, at most 30
 * minutes. It differs by up to 10 percent from binding to binding, so that those which failed together do not return
 * together. `id` is the number of the binding's row.
 */
export function backoffMs(id: number, failuresBefore: number): number {
  // More doublings would only be cut off again.
  const doubled = FIRST_MS * 2 ** Math.min(failuresBefore, 10);
  const percent = ((id + 17 * failuresBefore) % 21) - 10;
  return Math.min(MOST_MS, Math.round((Math.min(doubled, MOST_MS) * (100 + percent)) / 100));
}
