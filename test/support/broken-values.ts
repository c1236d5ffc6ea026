import type { z } from "zod";
import { jsonOf, unwrapped } from "./schema-json.ts";

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Stands for a number that JSON can express and JavaScript cannot. */
export const HUGE = "@huge@";

type Values = readonly (readonly [how: string, value: Json])[];

/** Returns values that the schema refuses, each made from the valid one by one change. */
export function brokenValues(schema: z.core.$ZodType, good: Json, place: string): Values {
  const { inner, nullable } = unwrapped(schema);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  const at = place === "" ? "the body" : place;
  const types = wrongTypes(inner, nullable).map(
    (value) => [`${at} is ${shown(JSON.stringify(value))}`, value] as const,
  );
  switch (def.type) {
    case "object":
      return [...(place === "" ? [] : types), ...brokenObjects(inner as z.ZodObject, good, place)];
    case "array": {
      const items = Array.isArray(good) && good.length > 0 ? good : [sampleOf(def.element)];
      const inside = brokenValues(def.element, items[0] ?? null, `${place}[0]`);
      const { maxItems } = jsonOf(inner);
      const many =
        maxItems === undefined || maxItems > 2000
          ? []
          : [[`${at} has one item too many`, Array(maxItems + 1).fill(items[0])] as const];
      return [
        ...types,
        ...many,
        ...inside.map(([how, value]) => [how, [value, ...items.slice(1)]] as const),
      ];
    }
    default:
      return [...types, ...brokenLeaves(inner, at, jsonOf(schema).description)];
  }
}

function brokenObjects(schema: z.ZodObject, good: Json, place: string): Values {
  const whole = isObject(good) ? good : {};
  const strict = jsonOf(schema).additionalProperties === false;
  const found: (readonly [string, Json])[] = [];
  if (strict) {
    for (const key of ["no_such_field", "", "__proto__", "constructor", "\u0000"]) {
      found.push([
        `${place === "" ? "the body" : place} has the key ${shown(key)} too many`,
        withKey(whole, key, 1),
      ]);
    }
  }
  for (const [name, field] of Object.entries(schema.shape)) {
    const { optional } = unwrapped(field);
    const inside = place === "" ? name : `${place}.${name}`;
    if (!optional) {
      const { [name]: _gone, ...rest } = whole;
      found.push([`${inside} is missing`, rest]);
    }
    const own = whole[name] ?? sampleOf(field);
    for (const [how, value] of brokenValues(field, own, inside))
      found.push([how, withKey(whole, name, value)]);
  }
  return found;
}

/** Sets a key as JSON does: `__proto__` is a key like any other there. */
function withKey(whole: { readonly [key: string]: Json }, key: string, value: Json): Json {
  const copy = { ...whole };
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function wrongTypes(schema: z.core.$ZodType, nullable: boolean): readonly Json[] {
  const allowed = typesOf(schema);
  if (allowed === undefined) return [];
  const all: readonly (readonly [type: string, value: Json])[] = [
    ["null", null],
    ["boolean", true],
    ["number", 1],
    ["number", HUGE],
    ["string", "x"],
    ["array", []],
    ["array", [null]],
    ["object", {}],
    ["object", { a: 1 }],
  ];
  return all
    .filter(([type]) => !allowed.has(type) && !(type === "null" && nullable))
    .filter(([type, value]) => !(type === "string" && value === HUGE))
    .map(([, value]) => value);
}

/** Returns the types that the schema allows; `undefined` if it allows any. */
function typesOf(schema: z.core.$ZodType): ReadonlySet<string> | undefined {
  const { anyOf, oneOf, type, enum: values } = jsonOf(schema);
  const choices = anyOf ?? oneOf;
  const types =
    choices === undefined
      ? [type ?? (values === undefined ? undefined : typeof values[0])]
      : choices.map((choice) => choice.type);
  if (types.some((one) => one === undefined)) return undefined;
  return new Set(types.map((one) => (one === "integer" ? "number" : String(one))));
}

function brokenLeaves(schema: z.core.$ZodType, at: string, description = ""): Values {
  const json = jsonOf(schema);
  const ways: (readonly [string, Json])[] = [];
  const add = (how: string, value: Json) => ways.push([`${at} is ${how}`, value]);
  if (json.anyOf !== undefined || json.oneOf !== undefined) return [];
  if (json.type === "integer" || json.type === "number") {
    if (json.minimum !== undefined && json.minimum > -1e15)
      add("below the smallest", json.minimum - 1);
    if (json.exclusiveMinimum !== undefined) add("not above the smallest", json.exclusiveMinimum);
    if (json.maximum !== undefined && json.maximum < 1e15)
      add("above the largest", json.maximum + 1);
    if (json.type === "integer") add("a fraction", (json.minimum ?? 0) + 1.5);
    add("beyond all numbers", HUGE);
    return ways;
  }
  if (json.enum !== undefined || json.const !== undefined) {
    add("none of the words", "nobody");
    add("a word in capitals", `${String(json.enum?.[0] ?? json.const).toUpperCase()}X`);
    return ways;
  }
  if (json.type !== "string") return ways;
  add("half a surrogate pair", "a\ud83db");
  add("text with NUL", "a\u0000b");
  const bytes = /at most (\d+) bytes/.exec(description)?.[1];
  if (bytes !== undefined) {
    add("a byte too long", "x".repeat(Number(bytes) + 1));
    add("a byte too long, of two-byte letters", "é".repeat(Math.floor(Number(bytes) / 2) + 1));
  }
  if (json.maxLength !== undefined) {
    add("a letter too long", "x".repeat(json.maxLength + 1));
    add("a letter too long, of letters with two units", "🦅".repeat(json.maxLength + 1));
  }
  if ((json.minLength ?? 0) > 0) {
    add("empty", "");
    add("blank", " \t\n");
  }
  if (json.pattern !== undefined) add("of another form", "\n ~ \u{1f985} ~");
  if (json.format === "date-time")
    for (const text of ["soon", "2026-02-30T10:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z"])
      add(text, text);
  return ways;
}

/** Returns a valid value that has only the required members. */
export function sampleOf(schema: z.core.$ZodType): Json {
  const { inner } = unwrapped(schema);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  const json = jsonOf(inner);
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape).filter(([, field]) => !unwrapped(field).optional);
      return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]));
    }
    case "array":
      return [sampleOf(def.element)];
    case "union":
      return sampleOf(def.options[0] as z.core.$ZodType);
    case "record":
      return {};
    case "boolean":
      return true;
    case "number":
      return Math.max(json.minimum ?? 1, 1);
    case "enum":
      return String(json.enum?.[0]);
    case "literal":
      return json.const ?? null;
    case "custom":
      return json.type === "object" ? {} : "x";
    default:
      return json.format === "date-time" ? "2026-01-01T00:00:00.000Z" : "x";
  }
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function shown(text: string): string {
  const one = JSON.stringify(text);
  return one.length <= 60 ? one : `${one.slice(0, 40)}… (${text.length})`;
}
