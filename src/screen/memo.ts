/**
 * Keeps the last computed results for the next time that the screen is drawn, so that a key press computes again only
 * what it changes. Each store has its own memo in the state.
 */
export class Memo {
  readonly #kept = new Map<unknown, unknown>();

  /** Returns the object that `make` creates. It is created once per memo. */
  own<T>(make: () => T): T {
    if (!this.#kept.has(make)) this.#kept.set(make, make());
    // The cast is safe: only results of `make` are stored under this key.
    return this.#kept.get(make) as T;
  }

  /** Returns the last result of `make` if every field of the input is the same, else calls `make`. */
  last<Input extends object, Output>(make: (input: Input) => Output, input: Input): Output {
    // The cast is safe: only results of `make` are stored under this key.
    const known = this.#kept.get(make) as
      | { readonly input: Input; readonly output: Output }
      | undefined;
    if (known !== undefined && isSame(known.input, input)) return known.output;
    const output = make(input);
    this.#kept.set(make, { input, output });
    return output;
  }
}

function isSame<Input extends object>(one: Input, other: Input): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}
