/**
 * When a signal stops the server, running calls have this long to finish
 * (docs/contract/tools.md#12-order-of-the-start).
 */
export const DRAIN_MS = 10_000;
