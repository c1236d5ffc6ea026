import type { Clock } from "../base/clock.ts";

/**
 * Looks every so often at what is watched, while there is something to watch. Time is counted in looks, since the
 * system's clock may be set forward or back meanwhile.
 */
export class Looks {
  readonly #clock: Clock;
  readonly #everyMs: number;
  /** Looks at everything; `false` when nothing is left to watch. */
  readonly #look: () => boolean;
  readonly #stopped = new AbortController();
  #looking = false;
  #ms = 0;

  constructor(clock: Clock, everyMs: number, look: () => boolean) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#look = look;
  }

  /** Time that has passed while there was something to watch; up to one interval behind. */
  get ms(): number {
    return this.#ms;
  }

  /** There is something to watch. */
  begin(): void {
    if (!this.#looking) void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    this.#looking = true;
    const { signal } = this.#stopped;
    let more = true;
    while (more && !signal.aborted) {
      await this.#clock.sleep(this.#everyMs, signal);
      this.#ms += this.#everyMs;
      more = this.#look();
    }
    this.#looking = false;
  }
}
