import type { Clock } from "../../base/clock.ts";

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

/** At most one part in so many of the time goes into reading the same again because others work. */
const PARTS = 8;
/** But nothing waits longer than this for that reason. */
const LONGEST_REST_MS = 5000;

/** After work that took long there is a rest that is longer: a large fleet is read less often than a small one. */
export class Rests {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** How long that work rests yet. */
  left(key: string): number {
    return Math.max(0, (this.#until.get(key) ?? 0) - this.#clock.nowMs());
  }

  async during(key: string, work: () => Promise<void>): Promise<void> {
    const beganMs = this.#clock.nowMs();
    try {
      await work();
    } finally {
      const nowMs = this.#clock.nowMs();
      this.#until.set(key, nowMs + Math.min((nowMs - beganMs) * (PARTS - 1), LONGEST_REST_MS));
    }
  }
}
