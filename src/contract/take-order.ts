/** The rank of issues without a priority. They are taken last, after those with priority 4. */
export const UNPRIORITISED_RANK = 5;

/** Every priority, the lowest rank first. `null` means no priority. */
export const PRIORITIES_BY_RANK: readonly (number | null)[] = [0, 1, 2, 3, 4, null];

/**
 * The rank of a priority. `svc next`, a take and the screen order ready issues by rank, the lowest first
 * (docs/contract/command-line.md#21-work-on-issues).
 */
export function takeRank({ priority }: { readonly priority?: number | null | undefined }): number {
  return priority ?? UNPRIORITISED_RANK;
}

/**
 * The order in which ready issues are taken, the strongest key first: the rank of the priority, the lowest first; then
 * the last change, the newest first; then the id, the greatest first. `compareTake` and the statements of the store
 * follow from this list. The indexes `issue_take` and `issue_take_all` have the same order.
 */
export const TAKE_ORDER = [
  { key: "rank", direction: "asc" },
  { key: "updated_at", direction: "desc" },
  { key: "id", direction: "desc" },
] as const;

export interface Takeable {
  readonly id: number;
  readonly updated_at: string;
  readonly priority?: number | null | undefined;
}

/** Compares two ready issues. The result is below zero if the first issue is taken first. */
export function compareTake(one: Takeable, other: Takeable): number {
  const [left, right] = [keysOf(one), keysOf(other)];
  for (const { key, direction } of TAKE_ORDER) {
    if (left[key] === right[key]) continue;
    return left[key] < right[key] === (direction === "asc") ? -1 : 1;
  }
  return 0;
}

function keysOf(issue: Takeable) {
  return { rank: takeRank(issue), updated_at: issue.updated_at, id: issue.id };
}
