import type { z } from "zod";
import { addTo } from "../../base/lists.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";

type RawValues = Record<string, unknown>;

type Reading = "text" | "number" | "boolean" | { readonly list: "text" | "number" | "boolean" };

/**
 * Returns a function that converts the texts of a path or query to the types of a schema's fields. A text that cannot
 * be converted stays a text, which the schema then refuses.
 */
export function textReader(
  schema: z.ZodObject,
  place: "path" | "query",
): (values: ReadonlyMap<string, readonly string[]>) => RawValues {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, readingOf(field)] as const,
  );
  return (values) => {
    const raw: RawValues = {};
    for (const [name, reading] of fields) {
      const texts = values.get(name);
      if (texts === undefined) continue;
      const [text] = texts;
      // A JavaScript number cannot hold an id this large exactly. No row has such an id, so read it as the largest safe
      // integer. No row has that id either, so the answer is the usual "not found".
      if (place === "path" && reading === "number" && text !== undefined && HUGE.test(text))
        raw[name] = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
      else raw[name] = readTexts(texts, reading);
    }
    return raw;
  };
}

const HUGE = /^[1-9]\d{15,}$/;

/**
 * Returns the error with the ids of the path as the client sent them. `textReader` has replaced an id that is too large
 * for an exact number by the largest safe integer, which the given error contains.
 */
export function withSentIds(error: SvcError, params: Readonly<Record<string, string>>): SvcError {
  const sent = Object.entries(params).filter(
    ([name, text]) =>
      error.data[name] === Number.MAX_SAFE_INTEGER && HUGE.test(text) && !isExact(text),
  );
  if (sent.length === 0) return error;
  const { code, message, hint } = error;
  const options = { message, cause: error, ...(hint === undefined ? {} : { hint }) };
  return new SvcError(code, { ...error.data, ...Object.fromEntries(sent) }, options);
}

function isExact(text: string): boolean {
  return Number.isSafeInteger(Number(text));
}

/**
 * Converts the texts of one parameter. If the parameter is repeated but its field accepts only one value, returns the
 * list of texts, which the schema then refuses.
 */
function readTexts(texts: readonly string[], reading: Reading): unknown {
  if (typeof reading === "object") return texts.map((text) => readText(text, reading.list));
  return texts.length === 1 && texts[0] !== undefined ? readText(texts[0], reading) : texts;
}

function readText(text: string, reading: "text" | "number" | "boolean"): unknown {
  if (reading === "number" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (reading === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function readingOf(field: z.core.$ZodType): Reading {
  // This is zod's documented way to inspect a schema: narrow it to the union of zod's own classes.
  const { def } = (field as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return readingOf(def.innerType);
    case "pipe":
      return readingOf(def.in);
    case "array": {
      const item = readingOf(def.element);
      return { list: typeof item === "object" ? "text" : item };
    }
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}

export function queryValues(url: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const start = url.indexOf("?");
  if (start === -1) return values;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (value.includes("\u0000")) throw holdsNul(name);
    addTo(values, name, value);
  }
  return values;
}

/** Decodes the parameters of the path, which h3 does not do. */
export function paramValues(
  params: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(params).map(([name, text]) => [name, [decoded(name, text)]]));
}

/**
 * Returns the error for a NUL character in a request (docs/contract/http-api.md#43-texts). PostgreSQL cannot store NUL
 * in a text, and SQLite's functions end a text at it.
 */
export function holdsNul(field: string): SvcError {
  return invalidField(field, "must not contain NUL");
}

function decoded(field: string, text: string): string {
  if (!text.includes("%")) return text;
  try {
    const plain = decodeURIComponent(text);
    if (!plain.includes("\u0000")) return plain;
  } catch (cause) {
    throw invalidField(field, "is not valid percent-encoding", undefined, cause);
  }
  throw holdsNul(field);
}

/** Parses with a schema. Reports all faults in one `validation` error (docs/contract/http-api.md#12-error-body). */
export function parseInput<T extends z.ZodType>(schema: T, raw: unknown): z.output<T> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw validationError(result.error.issues, raw);
}

const MAX_NAMED = 3;

function validationError(issues: readonly z.core.$ZodIssue[], raw: unknown): SvcError {
  const parts = issues.flatMap((issue) => describe(issue, raw));
  const named = parts
    .slice(0, MAX_NAMED)
    .map(({ field, reason }) => (field === "" ? reason : `${field}: ${reason}`));
  const rest = parts.length > MAX_NAMED ? ` (and ${parts.length - MAX_NAMED} more)` : "";
  const [first] = parts;
  const field =
    parts.length === 1 && first !== undefined && first.field !== "" ? { field: first.field } : {};
  const errors = parts.length > 1 ? { errors: parts.map(listedFault) } : {};
  return new SvcError("validation", { ...field, ...errors }, { message: named.join("; ") + rest });
}

function listedFault({ field, reason }: Fault) {
  return { field, code: "validation", message: reason };
}

interface Fault {
  readonly field: string;
  readonly reason: string;
}

function describe(issue: z.core.$ZodIssue, raw: unknown): readonly Fault[] {
  const field = fieldName(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      reason: "is not a known field",
    }));
  }
  return [{ field, reason: reasonOf(issue, raw) }];
}

function reasonOf(issue: z.core.$ZodIssue, raw: unknown): string {
  if (valueAt(raw, issue.path) === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_small":
      return `must be ${boundWord(issue, "at least", "more than")} ${amountText(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be ${boundWord(issue, "at most", "less than")} ${amountText(issue.maximum, issue.origin)}`;
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function boundWord(
  {
    exact,
    inclusive,
  }: { readonly exact?: boolean | undefined; readonly inclusive?: boolean | undefined },
  reached: string,
  passed: string,
): string {
  if (exact === true) return "exactly";
  return inclusive === false ? passed : reached;
}

function amountText(limit: number | bigint, origin: string): string {
  const many = Number(limit) === 1 ? "" : "s";
  if (origin === "string") return `${limit} character${many} long`;
  return origin === "array" || origin === "set" ? `${limit} item${many} long` : String(limit);
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}
