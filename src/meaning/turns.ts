/** Runs pieces of work one after another, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  async take<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#last.then(work);
    this.#last = own.catch(() => undefined);
    return await own;
  }
}
