import type { Clock } from "../../base/clock.ts";

/** The length of a tick, by which the queue counts how long a write has waited. */
const TICK_MS = 200;
/** A write that has waited for nine ticks (1.6 to 1.8 seconds) and has not begun is refused. */
const TICKS = 9;

interface Entry<E> {
  readonly entry: E;
  ticks: number;
}

/**
 * The queue of writes that have not begun. A write that waits too long is removed and refused with `busy`, so a refused
 * write is never carried out. Waiting is counted in ticks, so that a clock change refuses nothing. Ticks run only while
 * a write may have to wait, so that the usual write starts no timer.
 */
export class WriteQueue<E extends { refuse(error: Error): void }> {
  readonly #clock: Clock;
  readonly #refusal: () => Error;
  #entries: Entry<E>[] = [];
  #counting: AbortController | undefined;

  /** `refusal` makes the error for writes that have waited too long. */
  constructor(clock: Clock, refusal: () => Error) {
    this.#clock = clock;
    this.#refusal = refusal;
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

  /** Counts ticks from now until the queue is empty. */
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
      this.#countTick();
      if (this.isEmpty) this.#counting = undefined;
    }
  }

  #countTick(): void {
    for (const waiting of this.#entries) waiting.ticks += 1;
    const late = this.#entries.filter(({ ticks }) => ticks >= TICKS);
    if (late.length === 0) return;
    this.#entries = this.#entries.filter(({ ticks }) => ticks < TICKS);
    const refusal = this.#refusal();
    for (const { entry } of late) entry.refuse(refusal);
  }
}
