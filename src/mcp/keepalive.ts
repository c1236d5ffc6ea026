import type { Clock } from "../base/clock.ts";

/** A daemon with a shorter idle timeout gets no pings, because it would need one every few seconds. */
const MIN_TIMEOUT_MS = 10_000;

/** The header that marks a ping as a keepalive (docs/contract/tools.md#43-keepalive). */
export const KEEPALIVE_HEADERS = { "x-svc-idle-keepalive": "1" } as const;

/**
 * Prevents the idle shutdown of a daemon: pings it at once, and after each ping waits for half of the timeout, until
 * `signal` is aborted. A failed ping is ignored (docs/contract/tools.md#43-keepalive).
 */
export async function keepAlive(
  timeoutMs: number | undefined,
  ping: () => Promise<unknown>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (timeoutMs === undefined || timeoutMs < MIN_TIMEOUT_MS) return;
  while (!signal.aborted) {
    await ping().catch(() => undefined);
    await clock.sleep(timeoutMs / 2, signal);
  }
}
