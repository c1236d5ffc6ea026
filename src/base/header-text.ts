/** Encodes text for an HTTP header, in which a character stands for a byte: each UTF-8 byte becomes a character. */
export function utf8InHeader(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
