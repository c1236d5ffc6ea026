type HeadersInit = ConstructorParameters<typeof globalThis.Headers>[0];
type Native = InstanceType<typeof globalThis.Headers>;

/**
 * Replaces Node's `Headers` and creates the real object when something of it is used. h3 creates two such objects when
 * it is imported, and the first reference to a class of Fetch loads all of Fetch.
 */
export class Headers implements Native {
  readonly #input: HeadersInit;
  #made: Native | undefined;

  constructor(given?: HeadersInit) {
    this.#input = given;
  }

  static [Symbol.hasInstance](value: object): boolean {
    return (
      value instanceof globalThis.Headers ||
      Object.prototype.isPrototypeOf.call(this.prototype, value)
    );
  }

  get #headers(): Native {
    this.#made ??= new globalThis.Headers(this.#input);
    return this.#made;
  }

  append(name: string, value: string): void {
    this.#headers.append(name, value);
  }
  delete(name: string): void {
    this.#headers.delete(name);
  }
  entries(): ReturnType<Native["entries"]> {
    return this.#headers.entries();
  }
  forEach(each: Parameters<Native["forEach"]>[0], self?: unknown): void {
    this.#headers.forEach((value, name) => each.call(self, value, name, this));
  }
  get(name: string): string | null {
    return this.#headers.get(name);
  }
  getSetCookie(): string[] {
    return this.#headers.getSetCookie();
  }
  has(name: string): boolean {
    return this.#headers.has(name);
  }
  keys(): ReturnType<Native["keys"]> {
    return this.#headers.keys();
  }
  set(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  values(): ReturnType<Native["values"]> {
    return this.#headers.values();
  }
  [Symbol.iterator](): ReturnType<Native["entries"]> {
    return this.#headers.entries();
  }
}
