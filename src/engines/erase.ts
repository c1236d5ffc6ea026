import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../store/types.ts";

/** A command may have started the daemon and wait: it is answered first. */
const FIRST_MS = 1500;
const HELD_MS = 2000;
const IDLE_MS = 30_000;

export interface EraserService {
  /** No pass begins any more; one that is under way ends with the store, after its step. */
  stop(): Promise<void>;
}

/**
 * Finishes what a purge could not erase at once: a reader was in the way, the daemon was killed, or the database was
 * upgraded and still holds what was purged before.
 */
export function startEraser(deps: {
  readonly store: Pick<Store, "erase">;
  readonly clock: Clock;
  readonly log: Log;
}): EraserService {
  const ended = new AbortController();
  void run(deps, ended.signal);
  return {
    stop: async () => ended.abort(),
  };
}

async function run(
  { store, clock, log }: Parameters<typeof startEraser>[0],
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(FIRST_MS, signal);
  let wasHeld = false;
  while (!signal.aborted) {
    let wait = IDLE_MS;
    try {
      const outcome = await store.erase();
      if (outcome === "unsupported") return;
      if (outcome === "held" && !wasHeld) log.info("erase.held");
      if (outcome === "erased" && wasHeld) log.info("erase.done");
      wasHeld = outcome === "held";
      if (wasHeld) wait = HELD_MS;
    } catch (error) {
      if (!signal.aborted) log.warn("erase.failed", { error });
    }
    await clock.sleep(wait, signal);
  }
}
