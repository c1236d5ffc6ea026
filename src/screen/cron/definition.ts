/** Writes a value of a definition in one line of text. */
export function wordOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map(wordOf).join(", ");
  return Object.entries(value)
    .map(([name, part]) => `${name} ${wordOf(part)}`)
    .join("   ");
}
