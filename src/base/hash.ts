import type { hash as Hash } from "node:crypto";

let hash: typeof Hash | undefined;

/**
 * Lower-case hex SHA-256 of the text's UTF-8 bytes. `node:crypto` takes two milliseconds to load, and a daemon that was
 * started to show a list hashes nothing.
 */
export function sha256Hex(text: string): string {
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return hash("sha256", text, "hex");
}
