/**
 * The limit for a token. Servers and proxies accept about 8 KiB of headers; a token of 32 random bytes has 43
 * characters.
 */
const MAX_TOKEN_CHARACTERS = 4096;

/**
 * Returns why a text cannot be sent as a bearer token, or `undefined` if it can. The reason completes the sentence "the
 * token …" and repeats no part of the token. Only printable ASCII without blanks is allowed, because every server and
 * proxy passes it on unchanged (RFC 9110, 5.5 and 11.4).
 */
export function bearerFault(token: string): string | undefined {
  if (token === "") return "is empty";
  if (token.length > MAX_TOKEN_CHARACTERS)
    return `has ${token.length} characters, and ${MAX_TOKEN_CHARACTERS} are allowed`;
  const place = token.search(/[^\x21-\x7e]/);
  if (place === -1) return undefined;
  const where = place === token.length - 1 ? "at its end" : `at character ${place + 1}`;
  return `holds ${nameOf(token.charCodeAt(place))} ${where}`;
}

function nameOf(unit: number): string {
  if (unit === 0x20) return "a space";
  if (unit === 0x0a || unit === 0x0d) return "a line break";
  if (unit === 0x09) return "a tab";
  return unit < 0x80 ? "a control character" : "a character beyond ASCII";
}
