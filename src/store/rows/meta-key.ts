import { sha256Hex } from "../../base/hash.ts";
import type { JsonValue } from "../../base/json.ts";

/**
 * The maximum length of a text in the metadata index. Longer texts are hashed, since PostgreSQL refuses index entries
 * above about 2.7 kB.
 */
const MAX_TEXT_LENGTH = 200;

/** A metadata key or text as stored in the metadata index: `=` and the text, or `#` and its hash when it is long. */
export function indexed(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? `=${text}` : `#${sha256Hex(text)}`;
}

/**
 * Returns what the metadata index stores for a value. Filters compare only strings
 * (docs/contract/http-api.md#33-lists-create-show-edit), so other values are stored as null, which records only that
 * the key exists.
 */
export function indexedValue(value: JsonValue): string | null {
  return typeof value === "string" ? indexed(value) : null;
}
