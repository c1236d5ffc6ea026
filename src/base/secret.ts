/** A new secret: 32 random bytes in base64url, which are 43 characters. */
export function newSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}

/**
 * Replaces what follows the prefix of a token of svc, so that an error that repeats what was typed shows no token that
 * was given as an argument by mistake.
 */
export function withoutTokens(text: string): string {
  return text.replace(/\b(svc_(?:fed_)?)[\w-]{20,}/g, "$1…");
}
