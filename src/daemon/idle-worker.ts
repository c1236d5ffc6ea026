import type { Clock } from "../base/clock.ts";

/** How long a thread may be without a task. It then ends, so that it frees what it read of a large project. */
const IDLE_MS = 10_000;

export interface IdleWorker {
  readonly isIdle: boolean;
  readonly given: number;
  readonly over: boolean;
  end(): Promise<void>;
}

/**
 * Ends the thread once it has had no task for a while. `retire` is called first, so that an ending thread gets no task.
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
