import type { Clock } from "../base/clock.ts";

/** After a write, passes wait at least this long, so that one pass sends the writes of this time together. */
export const DEBOUNCE_MS = 50; // docs/contract/federation.md#12-limits
/** While a copy is written to all the time, the pause after a pass is this many times as long as the pass. */
const PASSES_PER_PAUSE = 4;
const LONGEST_PAUSE_MS = 1000;

/**
 * Measures the passes that send writes, and tells how long to wait before the next one. A pass commits several times,
 * and each write that comes meanwhile waits for these commits. So passes take only a part of the time while a copy is
 * written to, and a pass after a longer silence begins soon.
 */
export class PassPause {
  readonly #clock: Pick<Clock, "nowMs">;
  #until = 0;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  async after<T>(pass: () => Promise<T>): Promise<T> {
    const beganMs = this.#clock.nowMs();
    try {
      return await pass();
    } finally {
      const endedMs = this.#clock.nowMs();
      this.#until = endedMs + PASSES_PER_PAUSE * (endedMs - beganMs);
    }
  }

  /** How long the next pass waits from now on, in ms. A clock that is set meanwhile does not stop the passes. */
  get ms(): number {
    const left = this.#until - this.#clock.nowMs();
    return Math.min(Math.max(DEBOUNCE_MS, left), LONGEST_PAUSE_MS);
  }
}
