import type { Clock } from "../src/base/clock.ts";

const EVERY_MS = 1000;

/**
 * Hands out sentences for a screen reader, at most one per second. Of the sentences that arrive while it waits, it says
 * every error, and then the last of the others.
 */
export class Sentences {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #errors: readonly string[] = [];
  #other: string | undefined;
  #isWaiting = false;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  add(text: string, isError: boolean): void {
    if (isError) this.#errors = [...this.#errors, text];
    else this.#other = text;
    if (!this.#isWaiting) void this.#sayAll();
  }

  async #sayAll(): Promise<void> {
    this.#isWaiting = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#say(next);
      await this.#clock.sleep(EVERY_MS);
    }
    this.#isWaiting = false;
  }

  #next(): string | undefined {
    const [error, ...errors] = this.#errors;
    if (error !== undefined) {
      this.#errors = errors;
      return error;
    }
    const other = this.#other;
    this.#other = undefined;
    return other;
  }
}
