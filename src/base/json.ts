export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Finds numbers that JavaScript may write differently than the JSON text: 16 digits or more, a fraction, or an
 * exponent. The pattern matches only at the start of a JSON value, so the seconds and milliseconds in a text such as
 * `"12:30:05.123"` do not match.
 */
const MAY_LOSE_DIGITS = /(?:^|"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])/;

/**
 * `JSON.parse` that keeps the spelling of numbers: a number that JavaScript would write differently (2^53 and beyond,
 * `1.0`, `1e400`) becomes a raw JSON value, which `JSON.stringify` writes as received.
 */
export function parseJson(text: string): JsonValue {
  if (!MAY_LOSE_DIGITS.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepSpelling as (key: string, value: unknown) => unknown) as JsonValue;
}

function keepSpelling(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return String(value) === context.source ? value : rawJson(context.source);
}

/** What `JSON.parse` passes to the reviver besides the value. Browsers before 2025 do not pass the source text. */
interface Source {
  readonly source?: string;
}

/**
 * Finds numbers that a JavaScript number may not represent exactly: those with 16 digits or more, or with an exponent.
 */
const MAY_NOT_FIT = /(?:^|"\s*:|[[,])\s*-?(?:\d{16}|\d[\d.]{16}|[\d.]+[eE])/;

/**
 * Like `JSON.parse`, but numbers that JavaScript cannot represent exactly, such as integers beyond 2^53, become raw
 * JSON values. All other numbers are plain numbers, even if they are written unusually (`1.0`), so that code can
 * compute with them.
 */
export function parseExact(text: string): JsonValue {
  if (!MAY_NOT_FIT.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as JsonValue;
}

function keepDigits(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return digitsOf(String(value)) === digitsOf(context.source) ? value : rawJson(context.source);
}

/**
 * The significant digits of a number. If they are the same for a number and for its nearest double, the double
 * represents the number exactly.
 */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
}

/** ES2024 `JSON.rawJSON`, which TypeScript's libraries do not declare yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): JsonValue }).rawJSON;

/** Returns JSON without white space, the keys of every object sorted by code unit: equal values give equal texts. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sorted(value));
}

/** Whether both are the same JSON value, whatever the order of their keys. `undefined` equals only `undefined`. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const ordered: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) {
    const inner = sorted(value[key] as JsonValue);
    // An assignment to this key would set the prototype instead.
    if (key === "__proto__")
      Object.defineProperty(ordered, key, { value: inner, enumerable: true });
    else ordered[key] = inner;
  }
  return ordered;
}

/** True for a JSON object; false for an array and for a number kept as a raw value. */
export function isPlainObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value);
}

function isRaw(value: JsonValue): boolean {
  return (JSON as unknown as { isRawJSON?(value: unknown): boolean }).isRawJSON?.(value) === true;
}
