import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { invalidField, type SvcError } from "../../contract/errors.ts";

/**
 * Strict decoder for an object: each member is read by name, and members that nobody read are refused. For
 * optional members `null` means absent (docs/contract/cron-and-inbox.md#21-reading-and-storing).
 */
export class Fields {
  readonly path: string;
  readonly #members: Map<string, JsonValue>;

  constructor(value: JsonValue | undefined, path: string) {
    if (!isPlainObject(value)) throw invalidField(path, "must be an object");
    this.path = path;
    this.#members = new Map(Object.entries(value));
  }

  invalidField(name: string, reason: string): SvcError {
    return invalidField(`${this.path}.${name}`, reason);
  }

  /** Throws if the object has a member that was not read. */
  end(): void {
    for (const name of this.#members.keys()) throw this.invalidField(name, "is not a known field");
  }

  names(): readonly string[] {
    return [...this.#members.keys()];
  }

  forbid(names: readonly string[], reason: string): void {
    for (const name of names)
      if (this.#take(name) !== undefined) throw this.invalidField(name, reason);
  }

  /** Returns the value even if it is `null`, which the other methods treat as absent. */
  raw(name: string): JsonValue | undefined {
    const value = this.#members.get(name);
    this.#members.delete(name);
    return value;
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.#refuseMissing(name);
  }

  optionalText(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw this.invalidField(name, "must be text");
    if (value.includes("\u0000")) throw this.invalidField(name, "must not contain NUL");
    return value;
  }

  /** An empty text counts as absent. */
  filledText(name: string): string | undefined {
    const value = this.optionalText(name);
    return value === "" ? undefined : value;
  }

  optionalBoolean(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.invalidField(name, "must be true or false");
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.text(name);
    const known = values.find((one) => one === value);
    if (known === undefined)
      throw this.invalidField(name, `must be ${values.map((one) => `"${one}"`).join(" or ")}`);
    return known;
  }

  integer(name: string, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? this.#refuseMissing(name);
  }

  /** Accepts `1.0` as 1 and refuses any fraction. */
  optionalInteger(name: string, min: number, max: number): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const number = integerOf(value);
    if (number === undefined) throw this.invalidField(name, "must be a whole number");
    if (number < min) throw this.invalidField(name, `must be at least ${min}`);
    if (number > max) throw this.invalidField(name, `must be at most ${max}`);
    return number;
  }

  object(name: string): Fields {
    return this.optionalObject(name) ?? this.#refuseMissing(name);
  }

  optionalObject(name: string): Fields | undefined {
    const value = this.#take(name);
    return value === undefined ? undefined : new Fields(value, `${this.path}.${name}`);
  }

  list(name: string): readonly JsonValue[] {
    return this.optionalList(name) ?? this.#refuseMissing(name);
  }

  optionalList(name: string): readonly JsonValue[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.invalidField(name, "must be a list");
    return value;
  }

  #take(name: string): JsonValue | undefined {
    return this.raw(name) ?? undefined;
  }

  #refuseMissing(name: string): never {
    throw this.invalidField(name, "is required");
  }
}

/**
 * Returns `undefined` if the value is no integer. `parseJson` keeps a number such as `1.0` as a raw value, so the
 * number's text is examined.
 */
function integerOf(value: JsonValue): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const text = JSON.stringify(value);
  const number = Number(text);
  const whole = /^-?\d+(?:\.0+)?$/.test(text) || /^-?\d+[eE]\+?\d+$/.test(text);
  return whole && Number.isSafeInteger(number) ? number : undefined;
}

/** Drops members that are `undefined` and keeps the order of the others. */
export function present<T extends object>(
  members: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { readonly [K in keyof T]: Exclude<T[K], undefined> };
}
