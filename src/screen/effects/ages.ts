import type { Clock } from "../../base/clock.ts";
import type { Message } from "../message.ts";

/** How often the ages are drawn again. Ages count in minutes, so an age is at most this much out of date. */
const AGES_MS = 15_000;

/**
 * Redraws the ages and countdowns of a quiet screen as time passes. The painter writes nothing if none of them has
 * changed.
 */
export async function refreshAges(
  store: { dispatch(message: Message): void },
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(AGES_MS, signal);
    if (signal.aborted) return;
    store.dispatch({ type: "aged" });
  }
}
