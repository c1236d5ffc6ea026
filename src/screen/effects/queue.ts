/**
 * Runs pieces of work, at most `atOnce` at a time, so that many writes do not hold up reads. Pieces of work with the
 * same key run one after another, so that writes to one issue stay in order.
 */
export class Queue {
  readonly #atOnce: number;
  readonly #behind = new Map<string, (() => Promise<void>)[]>();
  readonly #waiting: string[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run(key: string, work: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const whole = async (): Promise<void> => {
        await work().then(resolve, reject);
      };
      const behind = this.#behind.get(key);
      if (behind !== undefined) {
        behind.push(whole);
        return;
      }
      this.#behind.set(key, [whole]);
      this.#waiting.push(key);
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#running >= this.#atOnce) return;
    const key = this.#waiting.shift();
    if (key === undefined) return;
    this.#running += 1;
    await this.#behind.get(key)?.shift()?.();
    this.#running -= 1;
    if (this.#behind.get(key)?.length === 0) this.#behind.delete(key);
    else this.#waiting.push(key);
    void this.#next();
  }
}
