/** A new secret: 32 random bytes in base64url, which are 43 characters. */
export function newSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}

/**
 * Shortens each token of svc in the text to its prefix. So an error that repeats an argument does not show a token that
 * was typed there by mistake.
 */
export function withoutTokens(text: string): string {
  return text.replace(/\b(svc_(?:fed_)?)[\w-]{20,}/g, "$1…");
}
