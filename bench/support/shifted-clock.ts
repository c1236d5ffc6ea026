import { type Clock, msToInstant, systemClock } from "../../src/base/clock.ts";

/** The clock of the machine, which can be moved ahead. Sleeps are not shortened by that. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return systemClock.nowMs() + this.#aheadMs;
  }

  now(): string {
    return msToInstant(this.nowMs());
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await systemClock.sleep(ms, signal);
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
