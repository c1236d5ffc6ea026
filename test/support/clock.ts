import { type Clock, instantToMs, msToInstant } from "../../src/base/clock.ts";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that only the test moves. */
export class FakeClock implements Clock {
  readonly movesServer = true;
  #ms: number;
  #sleepers: readonly Sleeper[] = [];

  constructor(start = "2026-01-01T00:00:00.000Z") {
    this.#ms = instantToMs(start);
  }

  nowMs(): number {
    return this.#ms;
  }

  now(): string {
    return msToInstant(this.#ms);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const sleeper = { due: this.#ms + ms, wake: resolve };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal?.addEventListener("abort", () => this.#drop(sleeper), { once: true });
    });
  }

  /** Moves the time on, and wakes those whose sleep has ended. */
  advance(ms: number): void {
    this.#ms += ms;
    for (const sleeper of this.#sleepers) if (sleeper.due <= this.#ms) this.#drop(sleeper);
  }

  #drop(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    sleeper.wake();
  }
}

/** A clock that reports each sleep and its length. */
export function watched(clock: Clock) {
  const asleep: number[] = [];
  let wake: (() => void) | undefined;
  return {
    clock: {
      now: () => clock.now(),
      nowMs: () => clock.nowMs(),
      sleep: async (ms: number, signal?: AbortSignal) => {
        asleep.push(ms);
        wake?.();
        await clock.sleep(ms, signal);
      },
    },
    async next(): Promise<number> {
      if (asleep.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return asleep.shift() ?? Number.NaN;
    },
  };
}
