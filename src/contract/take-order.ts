/** The rank of issues without a priority. They are taken last, after those with priority 4. */
export const UNPRIORITISED_RANK = 5;

/** Every priority, the lowest rank first. `null` means no priority. */
export const PRIORITIES_BY_RANK: readonly (number | null)[] = [0, 1, 2, 3, 4, null];

/**
 * The rank by which `svc next`, a take and the screen order ready issues: the lowest rank first, and within a rank the
 * most recently changed issue first (facts cli-and-config 2.1).
 */
export function takeRank({ priority }: { readonly priority?: number | null | undefined }): number {
  return priority ?? UNPRIORITISED_RANK;
}

interface Takeable {
  readonly id: number;
  readonly updated_at: string;
  readonly priority?: number | null | undefined;
}

/**
 * Compares two ready issues. The result is below zero if the first issue is taken first. If both have the same rank and
 * were changed at the same time, the issue that was created last is taken first.
 */
export function compareTake(one: Takeable, other: Takeable): number {
  const byRank = takeRank(one) - takeRank(other);
  if (byRank !== 0) return byRank;
  if (one.updated_at !== other.updated_at) return one.updated_at > other.updated_at ? -1 : 1;
  return other.id - one.id;
}
