import { sha256Hex } from "../base/hash.ts";
import type { JsonValue } from "../base/json.ts";

/** PostgreSQL refuses index entries of 2.7 kB, and nobody looks long values up by hand. */
const LONGEST = 200;

/** A metadata key or text as the index of metadata holds it: itself, or its hash when it is long. */
export function indexed(text: string): string {
  return text.length <= LONGEST ? `=${text}` : `#${sha256Hex(text)}`;
}

/** Filters compare strings alone (facts http-api 3.3), so other values are only there or not. */
export function indexedValue(value: JsonValue): string | null {
  return typeof value === "string" ? indexed(value) : null;
}
