/** A new secret: 32 random bytes in base64url, which are 43 characters. */
export function newSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}
