import type { Clock } from "../src/base/clock.ts";
import type { Store } from "./store.ts";

/** Ages count in minutes, so none is shown longer than this after it changed. */
const AGES_MS = 15_000;

/**
 * Has the ages and countdowns of a quiet screen drawn again as time passes. The painter writes nothing unless one that
 * is shown has changed.
 */
export async function refreshAges(
  store: Pick<Store, "dispatch">,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(AGES_MS, signal);
    if (signal.aborted) return;
    store.dispatch({ type: "aged" });
  }
}
