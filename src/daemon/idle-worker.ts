import type { Clock } from "../base/clock.ts";

/** A thread with nothing to do for so long ends: what it read of a large project would stay in memory. */
const IDLE_MS = 10_000;

export interface IdleWorker {
  readonly isIdle: boolean;
  /** How many tasks it was given. */
  readonly given: number;
  readonly over: boolean;
  end(): Promise<void>;
}

/**
 * Ends the thread once it had no task for a while. `retire` is called before: from then on it gets no task, since it
 * would end in the middle of one.
 */
export async function stopWhenIdle(
  thread: IdleWorker,
  { clock, signal, retire }: { clock: Clock; signal: AbortSignal; retire: () => void },
): Promise<void> {
  for (;;) {
    const { given } = thread;
    await clock.sleep(IDLE_MS, signal);
    if (signal.aborted || thread.over) return;
    if (!thread.isIdle || thread.given !== given) continue;
    retire();
    return await thread.end();
  }
}
