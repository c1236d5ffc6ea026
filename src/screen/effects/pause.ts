import type { Clock } from "../../base/clock.ts";

/** Waits that end as soon as somebody does not want to wait any longer. */
export class Pause {
  readonly #clock: Pick<Clock, "sleep">;
  #cut = new AbortController();

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, AbortSignal.any([this.#cut.signal, signal]));
  }

  /** Ends those that are going on; the next lasts its time. */
  cut(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }
}
