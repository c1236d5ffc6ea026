import type { Clock } from "../../base/clock.ts";

export class InterruptibleSleep {
  readonly #clock: Pick<Clock, "sleep">;
  #cut = new AbortController();

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, AbortSignal.any([this.#cut.signal, signal]));
  }

  async untilCut(signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([this.#cut.signal, signal]);
    if (ended.aborted) return;
    await new Promise<void>((resolve) => {
      ended.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Ends the current sleeps; later sleeps last their full time. */
  cut(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }
}
