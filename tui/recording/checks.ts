import { instantToMs } from "../../src/base/clock.ts";

/** Returns what is wrong with a value, starting with the path to the wrong place; `undefined` if it is valid. */
export type Check = (value: unknown) => string | undefined;

const must =
  (what: string, is: (value: unknown) => boolean): Check =>
  (value) =>
    is(value) ? undefined : `must be ${what}`;

export const text = must("a text", (value) => typeof value === "string");
export const truth = must("true or false", (value) => typeof value === "boolean");
export const number = must("a number", (value) => typeof value === "number");
export const count = must(
  "a whole number from 0 on",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const instant = must(
  "an instant",
  (value) => typeof value === "string" && !Number.isNaN(instantToMs(value)),
);
export const anything: Check = () => undefined;

export const oneOf = (...values: readonly string[]): Check =>
  must(values.join(" or "), (value) => typeof value === "string" && values.includes(value));

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);

export const list =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return "must be a list";
    return first(value.entries(), (at) => `[${at}]`, check);
  };

/** Checks an object with these fields; it may have other fields, which are kept. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    for (const [name, check] of Object.entries(fields)) {
      const wrong = check(value[name]);
      if (wrong !== undefined) return `.${name}${spaced(wrong)}`;
    }
    return undefined;
  };

export const rows = (fields: Readonly<Record<string, Check>>): Check => list(object(fields));

export const table =
  (check: Check): Check =>
  (value) =>
    isObject(value)
      ? first(Object.entries(value), (name) => `.${name}`, check)
      : "must be an object";

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function first<K>(
  entries: Iterable<readonly [K, unknown]>,
  name: (key: K) => string,
  check: Check,
): string | undefined {
  for (const [key, value] of entries) {
    const wrong = check(value);
    if (wrong !== undefined) return `${name(key)}${spaced(wrong)}`;
  }
  return undefined;
}

/**
 * Returns an error text that can follow a path. A message ("must ...") gets a space before it, a further part of the
 * path gets none.
 */
export function spaced(wrong: string): string {
  return wrong.startsWith("must ") ? ` ${wrong}` : wrong;
}
