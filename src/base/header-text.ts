/** Encodes text for an HTTP header, which holds bytes: one character for each byte of its UTF-8. */
export function utf8InHeader(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
