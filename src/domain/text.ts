/**
 * Normalizes text for comparing repeated requests: NFC, trimmed, single spaces
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
export function comparable(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ");
}

/** Counts code points: a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
