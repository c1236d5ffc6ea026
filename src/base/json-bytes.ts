/** Returns the length of the value's JSON in UTF-8 bytes, or 0 for `undefined`. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
