import type { Clock } from "../src/base/clock.ts";

/** Work that is done a little later, once for all that ask for it until then. */
export class Later {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<string, () => void>();

  constructor(clock: Pick<Clock, "sleep">, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** The first who asks says how long it is waited, the last what is done. */
  ask(key: string, ms: number, work: () => void): void {
    const isWaiting = this.#waiting.has(key);
    this.#waiting.set(key, work);
    if (!isWaiting) void this.#wait(key, ms);
  }

  async #wait(key: string, ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#signal);
    const work = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (!this.#signal.aborted) work?.();
  }
}
