import type { Clock } from "../base/clock.ts";

/**
 * Calls a function at an interval while there is something to watch. Measures time by counting intervals, because the
 * system's clock may be set forward or back.
 */
export class Poller {
  readonly #clock: Clock;
  readonly #everyMs: number;
  /** Checks everything that is watched. Returns `false` when nothing is left to watch. */
  readonly #poll: () => boolean;
  readonly #stopped = new AbortController();
  #polling = false;
  #ms = 0;

  constructor(clock: Clock, everyMs: number, poll: () => boolean) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#poll = poll;
  }

  /** Ms that have passed while there was something to watch, counted in whole intervals. */
  get ms(): number {
    return this.#ms;
  }

  begin(): void {
    if (!this.#polling) void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    this.#polling = true;
    const { signal } = this.#stopped;
    let more = true;
    while (more && !signal.aborted) {
      await this.#clock.sleep(this.#everyMs, signal);
      this.#ms += this.#everyMs;
      more = this.#poll();
    }
    this.#polling = false;
  }
}
