/** A random id. It is also available on plain http, where browsers offer no `crypto.randomUUID`. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
