import type { Clock } from "../../base/clock.ts";

/** Debounces work: runs it once, after a delay, for all calls of `ask` during the delay. */
export class Debounce {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<string, () => void>();

  constructor(clock: Pick<Clock, "sleep">, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * Runs `work` after `ms` milliseconds. If work of the same key waits already, replaces that work and keeps its delay.
   */
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

/**
 * After a read, the next read waits seven times as long as this read took, but at most `LONGEST_REST_MS`. So repeated
 * reads take at most one eighth of the time, unless each read is very long.
 */
const PARTS = 8;
/** The longest pause between repeated reads. */
const LONGEST_REST_MS = 5000;

/** Throttles work: after a read that took long, the next one waits longer. */
export class Throttle {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Milliseconds until the work may run again. */
  left(key: string): number {
    const left = (this.#until.get(key) ?? 0) - this.#clock.nowMs();
    // If the system clock was set back, the difference is far too long.
    return Math.max(0, Math.min(left, LONGEST_REST_MS));
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
