/** A number in a few characters: `950`, `12k`. */
export function shortCount(count: number | undefined): string {
  if (count === undefined) return "-";
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}
