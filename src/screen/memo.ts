/**
 * What one screen remembers between two pictures, so that a key costs what it changes and not what there is. Each store
 * has its own, handed in with the state. It changes no answer: what was made is given again only for the same input.
 */
export class Memo {
  readonly #kept = new Map<unknown, unknown>();

  /** The one thing that `make` makes for this memo. */
  own<T>(make: () => T): T {
    if (!this.#kept.has(make)) this.#kept.set(make, make());
    // Only `make` puts something there.
    return this.#kept.get(make) as T;
  }

  /** What `make` gives for the input: the answer before, where every field of the input is the same as then. */
  last<Input extends object, Output>(make: (input: Input) => Output, input: Input): Output {
    // Only `make` puts something there.
    const known = this.#kept.get(make) as
      | { readonly input: Input; readonly output: Output }
      | undefined;
    if (known !== undefined && isSame(known.input, input)) return known.output;
    const output = make(input);
    this.#kept.set(make, { input, output });
    return output;
  }
}

/** Inputs of one question have the same fields. */
function isSame<Input extends object>(one: Input, other: Input): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}
