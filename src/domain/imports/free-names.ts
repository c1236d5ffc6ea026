/** Gives names that are not taken yet: the wanted one, or else the wanted one with a number. */
export class FreeNames {
  readonly #taken: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  take(wanted: string): string {
    let name = wanted;
    let count = this.#counts.get(wanted) ?? 1;
    while (this.#taken.has(name)) {
      count += 1;
      name = `${wanted}'${count}`;
    }
    this.#counts.set(wanted, count);
    this.#taken.add(name);
    return name;
  }
}
