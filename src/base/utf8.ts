/** The text of UTF-8 bytes, without the mark that some editors put in front; `undefined` for other bytes. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
