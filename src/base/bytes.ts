import type { JsonValue } from "./json.ts";

/** The standard base64 of the bytes, with padding. */
export function bytesToBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns the bytes of standard base64 with padding; `undefined` if the text is anything else. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  // Buffer ignores characters that are not base64, so encode the bytes again and compare.
  return bytesToBase64(bytes) === text ? bytes : undefined;
}

/** A value of a row as JSON: bytes become base64. */
export function rowValueToJson(value: unknown): JsonValue {
  return value instanceof Uint8Array ? bytesToBase64(value) : (value as JsonValue);
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
