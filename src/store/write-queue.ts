import type { Clock } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";

/** Nine ticks: a write is refused between 1.8 and 2 seconds after it came, if it has not begun by then. */
const TICK_MS = 200;
const TICKS = 9;

interface Entry<E> {
  readonly entry: E;
  ticks: number;
}

/**
 * The writes that have not begun. Whoever waits too long is taken out and told `busy`; what `take` gives has begun.
 * Both remove the entry at once, so a write that was refused is never carried out.
 *
 * Time is counted in ticks: a clock that jumps refuses nobody. Nothing is counted while no write can be kept waiting,
 * so the usual write starts no timer.
 */
export class WriteQueue<E extends { refuse(error: Error): void }> {
  readonly #clock: Clock;
  #entries: Entry<E>[] = [];
  #counting: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get first(): E | undefined {
    return this.#entries[0]?.entry;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  push(entry: E): void {
    this.#entries.push({ entry, ticks: 0 });
  }

  take(): E | undefined {
    return this.#entries.shift()?.entry;
  }

  /** From now on those who wait are counted, until nobody waits any more. */
  count(): void {
    if (this.#counting !== undefined) return;
    this.#counting = new AbortController();
    void this.#run(this.#counting);
  }

  stopCounting(): void {
    this.#counting?.abort();
    this.#counting = undefined;
  }

  async #run(counting: AbortController): Promise<void> {
    while (this.#counting === counting) {
      await this.#clock.sleep(TICK_MS, counting.signal);
      if (this.#counting !== counting) return;
      this.#tick();
      if (this.isEmpty) this.#counting = undefined;
    }
  }

  #tick(): void {
    for (const waiting of this.#entries) waiting.ticks += 1;
    const late = this.#entries.filter(({ ticks }) => ticks >= TICKS);
    if (late.length === 0) return;
    this.#entries = this.#entries.filter(({ ticks }) => ticks < TICKS);
    for (const { entry } of late) entry.refuse(new SvcError("busy"));
  }
}
