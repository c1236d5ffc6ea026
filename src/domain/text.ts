/** The form in which texts of a repeated request are compared: NFC, trimmed, white space as one space (facts http-api 1.7). */
export function comparable(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ");
}

/** Characters as people count them: a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
