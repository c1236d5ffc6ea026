import { yieldToLoop } from "../base/yield-to-loop.ts";

/**
 * Lets at most `most` calls of connectors run at a time. The others wait, in the order in which they came. Each begins
 * in a turn of the event loop of its own: the start of a program blocks the thread for some milliseconds, and requests
 * are answered between two of them.
 */
export class Slots {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(most = 4) {
    this.#most = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most)
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      this.#lastTurn = this.#lastTurn.then(yieldToLoop);
      await this.#lastTurn;
      return await work();
    } finally {
      // The slot goes to the next one that waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
