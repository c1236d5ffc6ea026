import type { Clock } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";

const RETRY_MS = 1000;

interface Health {
  readonly idle_shutdown?: { readonly timeout: string } | undefined;
}

/**
 * Returns the time in milliseconds after which the daemon stops when it is idle, or `undefined` if it never does. A
 * daemon that does not answer is asked again until `signal` is aborted: a busy one must not end the server.
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
