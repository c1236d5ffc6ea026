import type { Clock } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";

const RETRY_MS = 1000;

interface Health {
  readonly idle_shutdown?: { readonly timeout: string } | undefined;
}

/**
 * Returns after how many ms the daemon stops when it is idle, or `undefined` if it never does. If the daemon does not
 * answer, it is asked again until `signal` is aborted: the tool server must not end because the daemon is busy.
 */
export async function idleTimeout(
  ask: () => Promise<Health>,
  clock: Clock,
  signal: AbortSignal,
): Promise<number | undefined> {
  while (!signal.aborted) {
    const health = await ask().catch(() => undefined);
    if (health !== undefined)
      return health.idle_shutdown && parseDuration(health.idle_shutdown.timeout);
    await clock.sleep(RETRY_MS, signal);
  }
  return undefined;
}
