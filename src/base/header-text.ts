/**
 * Encodes text for an HTTP header. Each UTF-8 byte of the text becomes one character, because HTTP clients send each
 * character of a header as one byte.
 */
export function utf8InHeader(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
