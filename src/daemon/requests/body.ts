import { isUtf8 } from "node:buffer";
import { type JsonValue, parseJson } from "../../base/json.ts";
import { nestsDeeper } from "../../base/json-depth.ts";
import { membersOf } from "../../base/json-members.ts";
import { invalid, invalidField, SvcError } from "../../contract/errors.ts";
import type { StrictJson } from "../../contract/route.ts";
import type { Incoming } from "./incoming.ts";
import { fieldName, holdsNul } from "./input.ts";

/**
 * Reads and parses the JSON body of a request. An absent body is read as `{}`, so that the error names the missing
 * fields.
 */
export async function readJsonBody(
  incoming: Incoming,
  maxBytes: number,
  strict?: StrictJson,
): Promise<unknown> {
  if (!incoming.hasBody) return {};
  requireJson(incoming);
  const bytes = await incoming.read(maxBytes);
  if (bytes.byteLength === 0) return {};
  if (!isUtf8(bytes)) throw malformedBody("is not UTF-8");
  const text = bytes.toString("utf8");
  const value = parseBody(text);
  if (strict !== undefined) checkStrict(text, strict);
  return value;
}

/**
 * Refuses a body in which a member occurs twice, or in which the JSON of a member is longer than its limit in
 * `maxBytes` (docs/contract/cron-and-inbox.md#21-reading-and-storing). This needs the text of the body, because the
 * parsed value shows neither.
 */
function checkStrict(text: string, { maxBytes }: StrictJson): void {
  const { twice, texts } = membersOf(text);
  if (twice !== undefined) throw invalidField(twice, "stands twice");
  for (const [name, max] of Object.entries(maxBytes)) {
    if (Buffer.byteLength(texts.get(name) ?? "") > max)
      throw invalidField(name, `must be at most ${max} bytes of JSON`);
  }
}

export function requireJson(incoming: Incoming): void {
  const type = incoming.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new SvcError(
      "unsupported_media_type",
      {},
      { hint: "send Content-Type: application/json" },
    );
  }
  const encoding = incoming.header("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity")
    throw new SvcError(
      "unsupported_media_type",
      {},
      { hint: "send the body without Content-Encoding" },
    );
}

/**
 * The maximum nesting of a request body. Real bodies have fewer than ten levels. A very deep one would overflow the
 * stack of recursive functions such as those for the canonical form.
 */
const MAX_DEPTH = 256;

export function parseBody(text: string): unknown {
  if (text.length > 2 * MAX_DEPTH && nestsDeeper(text, MAX_DEPTH))
    throw malformedBody(`nests deeper than ${MAX_DEPTH} levels`);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw malformedBody("is not valid JSON", cause);
  }
  // Half of a surrogate pair cannot be written as UTF-8, so the stored text and its hash would differ from what the
  // client sent.
  if (HALF_PAIR.test(text) && !isWellFormed(value))
    throw malformedBody("holds half of a surrogate pair");
  if (text.includes("\\u0000")) refuseNul(value, []);
  return plainNumbers(value);
}

function malformedBody(reason: string, cause?: unknown): SvcError {
  return invalid(`the request body ${reason}`, undefined, cause);
}

function refuseNul(value: JsonValue, path: readonly PropertyKey[]): void {
  if (typeof value === "string" && value.includes("\u0000")) throw holdsNul(fieldName(path));
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes("\u0000")) throw malformedBody("names a field with NUL");
    refuseNul(inner, [...path, isList ? Number(key) : key]);
  }
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return !LONE_SURROGATE.test(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([key, inner]) => !LONE_SURROGATE.test(key) && isWellFormed(inner),
  );
}

/**
 * Converts numbers at the top level of a body. `parseJson` keeps numbers as text; here `1.0` becomes the integer 1, as
 * in JSON Schema. Deeper numbers keep their spelling, because they belong to JSON that svc only stores.
 */
function plainNumbers(value: JsonValue): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([, inner]) => isRaw(inner))) return value;
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, isRaw(inner) ? Number(JSON.stringify(inner)) : inner]),
  );
}

/** ES2024 `JSON.isRawJSON`, which TypeScript's libraries do not declare yet. */
const { isRawJSON: isRaw } = JSON as unknown as { isRawJSON(value: unknown): boolean };
