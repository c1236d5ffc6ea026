/** Returns a random id. Unlike `crypto.randomUUID`, this also works on plain http. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
