/** A count with its noun: `1 issue`, `2 issues`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
