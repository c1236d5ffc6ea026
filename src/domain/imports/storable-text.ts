import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** The maximum length of a title, in code points (docs/contract/http-api.md#43-texts). */
export const MAX_TITLE = 1024;

/** The maximum length of an actor, in bytes of UTF-8 (docs/contract/http-api.md#43-texts). */
export const MAX_ACTOR_BYTES = 256;

const UNSTORABLE = /\0|\p{Surrogate}/gu;

/**
 * Replaces characters that svc cannot store by U+FFFD: NUL (docs/contract/http-api.md#43-texts) and halves of surrogate
 * pairs.
 */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, "\uFFFD");
}

/** Applies `storableText` to all texts and names in metadata. */
export function storableFields(fields: JsonObject): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [storableText(name), storableValue(value)]),
  );
}

function storableValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  return isPlainObject(value) ? storableFields(value) : value;
}

export function cutCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left -= 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
}

/** The longest prefix that fits into `bytes` bytes of UTF-8, cut between code points. */
export function cutBytes(text: string, bytes: number): string {
  const buffer = new Uint8Array(bytes);
  const { read } = new TextEncoder().encodeInto(text, buffer);
  return text.slice(0, read);
}
