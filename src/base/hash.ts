import type { hash as Hash } from "node:crypto";

let hash: typeof Hash | undefined;

/**
 * Returns the lower-case hex SHA-256 of the text's UTF-8 bytes. `node:crypto` is loaded on first use, because loading
 * it takes two milliseconds and most requests need no hash.
 */
export function sha256Hex(text: string): string {
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return hash("sha256", text, "hex");
}

/** Returns the lower-case hex SHA-256 of bytes that are given as hex digits. */
export function sha256OfHex(digits: string): string {
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return hash("sha256", Buffer.from(digits, "hex"), "hex");
}
