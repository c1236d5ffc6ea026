import type { Clock } from "../base/clock.ts";

interface SilenceWatchOptions {
  readonly clock: Clock;
  /** The watch ends when this signal is aborted. */
  readonly signal: AbortSignal;
  readonly ms: number;
  /** Called with the time of the last `received`, as `Date.now()` gives it. */
  onSilent(sinceMs: number): void;
}

/** Calls `onSilent` once when nothing has been received for `ms` milliseconds. `received` starts the next count. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #receivedMs: number | undefined;
  #isWatching = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  received(): void {
    this.#receivedMs = this.#options.clock.nowMs();
    if (!this.#isWatching) void this.#watch();
  }

  /** Stops the count until the next `received`. */
  stop(): void {
    this.#receivedMs = undefined;
  }

  async #watch(): Promise<void> {
    const { clock, signal, ms, onSilent } = this.#options;
    this.#isWatching = true;
    while (this.#receivedMs !== undefined && !signal.aborted) {
      const left = this.#receivedMs + ms - clock.nowMs();
      // If the system clock was set back, `left` is far too long.
      if (left > 0) await clock.sleep(Math.min(left, ms), signal);
      else {
        const since = this.#receivedMs;
        this.#receivedMs = undefined;
        onSilent(since);
      }
    }
    this.#isWatching = false;
  }
}
