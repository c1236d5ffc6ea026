/** The local ids of issues that are to be embedded, a few bytes for each. */
export class Backlog {
  readonly #ids = new Set<number>();
  /** The ids in ascending order, and ids that were removed since. Undefined if it must be made anew. */
  #order: number[] | undefined = [];

  get size(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    if (this.#order !== undefined && id > (this.#order.at(-1) ?? -1)) this.#order.push(id);
    else this.#order = undefined;
  }

  delete(id: number): void {
    this.#ids.delete(id);
  }

  /** The highest ids, which belong to the newest issues, in descending order. */
  newest(most: number): readonly number[] {
    this.#order ??= [...this.#ids].toSorted((a, b) => a - b);
    const order = this.#order;
    while (order.length > 0 && !this.#ids.has(order.at(-1) ?? -1)) order.pop();
    const found: number[] = [];
    for (let at = order.length - 1; at >= 0 && found.length < most; at--) {
      const id = order[at];
      if (id !== undefined && this.#ids.has(id)) found.push(id);
    }
    return found;
  }
}
