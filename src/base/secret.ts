/** 32 random bytes as base64url without padding. */
export function newSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
}
