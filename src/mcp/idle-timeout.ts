import type { Clock } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";

const RETRY_MS = 1000;

type Health = Pick<Output<typeof health>, "idle_shutdown">;

/**
 * Returns the daemon's idle timeout in ms, or `undefined` if it has none. If the daemon does not answer, it is asked
 * again until `signal` is aborted, because the tool server must not end when the daemon is busy.
 */
export async function idleTimeout(
  ask: () => Promise<Health>,
  clock: Clock,
  signal: AbortSignal,
): Promise<number | undefined> {
  while (!signal.aborted) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined)
      return answer.idle_shutdown && parseDuration(answer.idle_shutdown.timeout);
    await clock.sleep(RETRY_MS, signal);
  }
  return undefined;
}
