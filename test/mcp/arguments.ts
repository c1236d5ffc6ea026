import fc from "fast-check";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** The words of JSON Schema that the inputs of tools use. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly anyOf?: readonly Schema[];
}

/** A value with one fault. */
interface Fault {
  /** The way to the fault, as an answer names it. */
  readonly path: string;
  readonly how: string;
  readonly value: Json;
}

/** Generated texts and lists are at most this long, so that a generated value stays small. */
const MOST_CHARACTERS = 40;
const MOST_ITEMS = 3;

/** Generates values that the schema allows. */
export function valuesOf(schema: Schema): fc.Arbitrary<Json> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (type === undefined) return fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>;
  switch (type) {
    case "object":
      return objectsOf(schema);
    case "array": {
      const { items = {}, minItems: minLength = 0, maxItems = MOST_ITEMS } = schema;
      return fc.array(valuesOf(items), { minLength, maxLength: Math.min(maxItems, MOST_ITEMS) });
    }
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
    case "boolean":
      return fc.boolean();
    case "string":
      return textsOf(schema);
  }
}

function objectsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<JsonObject> {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, valuesOf(schema)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}

function textsOf({ pattern, minLength = 0, maxLength = MOST_CHARACTERS }: Schema) {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, MOST_CHARACTERS) });
}

/** Returns the value with each fault that the schema forbids, one at a time. `path` is the way to the value. */
export function faultsOf(schema: Schema, value: Json, path = ""): readonly Fault[] {
  const types = path === "" ? [] : wrongTypes(schema);
  const here = [...types, ...wrongSizes(schema, value), ...wrongTexts(schema)];
  const faults = here.map(([how, broken]) => ({ path, how, value: broken }));
  return [...faults, ...membersOf(schema, value, path), ...itemsOf(schema, value, path)];
}

type Ways = readonly (readonly [how: string, value: Json])[];

const VALUE_OF_EACH_TYPE = [
  ["null", null],
  ["boolean", true],
  ["integer", 7],
  ["string", "text"],
  ["array", []],
  ["object", {}],
] as const;

function wrongTypes({ type, anyOf }: Schema): Ways {
  const allowed = anyOf === undefined ? [type] : anyOf.map((choice) => choice.type);
  if (allowed.includes(undefined)) return [];
  return VALUE_OF_EACH_TYPE.filter(([name]) => !allowed.includes(name as Schema["type"]));
}

function wrongSizes(schema: Schema, value: Json): Ways {
  const { minimum, maximum, minItems = 0, maxItems, minLength = 0, maxLength } = schema;
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const isMany = maxItems !== undefined && items.length > 0;
  const many = isMany && Array.from({ length: maxItems + 1 }, () => items[0] ?? null);
  return [
    ...(schema.type === "integer" ? [["a fraction", (minimum ?? 0) + 0.5] as const] : []),
    ...(minimum === undefined ? [] : [["too small", minimum - 1] as const]),
    ...(maximum === undefined ? [] : [["too large", maximum + 1] as const]),
    ...(minItems > 0 ? [["too few items", []] as const] : []),
    ...(many ? [["too many items", many] as const] : []),
    ...(minLength > 0 ? [["too short", ""] as const] : []),
    ...(maxLength === undefined ? [] : [["too long", "x".repeat(maxLength + 1)] as const]),
  ];
}

function wrongTexts({ type, enum: words, const: only, pattern, anyOf }: Schema): Ways {
  return [
    ...(words === undefined && anyOf === undefined ? [] : [["an unknown word", "ajar"] as const]),
    ...(only === true ? [["not true", false] as const] : []),
    ...(pattern === undefined ? [] : [["of another form", "No\n~"] as const]),
    ...(type === "string" ? [["half of a surrogate pair", "\ud800"] as const] : []),
  ];
}

/** Each member with a fault, each required member missing, and members that no object has. */
function membersOf(schema: Schema, value: Json, path: string): readonly Fault[] {
  const { type, properties = {}, required = [], additionalProperties } = schema;
  if (type !== "object") return [];
  const whole = value as JsonObject;
  const unknown = ["wrong", "constructor", "__proto__", ""].map((name) => ({
    path: path === "" ? shownName(name) : path,
    how: `the unknown member ${JSON.stringify(name)}`,
    value: { ...whole, [name]: 1 },
  }));
  const missing = required.map((name) => {
    const { [name]: _gone, ...rest } = whole;
    return { path: within(path, name), how: "missing", value: rest };
  });
  const broken = Object.entries(whole).flatMap(([name, member]) =>
    faultsOf(properties[name] ?? {}, member, within(path, name))
      .filter((fault) => path !== "" || !isLetPass(schema, name, fault.value))
      .map((fault) => ({ ...fault, value: { ...whole, [name]: fault.value } })),
  );
  return [...(additionalProperties === false ? unknown : []), ...missing, ...broken];
}

/** True if the server takes the value of an argument for none: null where nothing can be cleared, or an empty cursor. */
function isLetPass({ properties = {}, required = [] }: Schema, name: string, value: Json): boolean {
  const isClearable = `clear_${name}` in properties || `remove_${name}` in properties;
  const isNull = value === null && !required.includes(name) && !isClearable;
  return isNull || (name === "cursor" && value === "");
}

function shownName(name: string): string {
  return name === "__proto__" ? "__proto__ (reserved)" : name;
}

/** The first item with each fault. */
function itemsOf({ items }: Schema, value: Json, path: string): readonly Fault[] {
  if (items === undefined || !Array.isArray(value) || value.length === 0) return [];
  const [first, ...rest] = value as readonly Json[];
  return faultsOf(items, first ?? null, within(path, "0")).map((fault) => ({
    ...fault,
    value: [fault.value, ...rest],
  }));
}

function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
