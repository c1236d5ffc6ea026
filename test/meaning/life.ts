/** Thrown by everything that a dead process would do. */
export class Died extends Error {
  constructor() {
    super("the process died");
  }
}

/**
 * Lets a part of a program die as a killed process does: at a call of one of the objects that it uses, before the call
 * is made or after it was carried out, and from then on at every call.
 */
export class Life {
  #left = Number.POSITIVE_INFINITY;

  /** The part dies when this many further steps were made. A call has two steps: its begin and its end. */
  endAfter(steps: number): void {
    this.#left = steps;
  }

  get isOver(): boolean {
    return this.#left < 0;
  }

  /** Returns the object with calls that may be the last ones. Functions that are handed in are calls too. */
  over<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? this.#mortal(value.bind(target) as Call) : value;
      },
    });
  }

  #mortal(call: Call): Call {
    return async (...given) => {
      this.#step();
      const found = await call(
        ...given.map((one) => (typeof one === "function" ? this.#mortal(one as Call) : one)),
      );
      this.#step();
      return found;
    };
  }

  #step(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new Died();
  }
}

type Call = (...given: readonly unknown[]) => Promise<unknown>;
