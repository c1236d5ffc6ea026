/** The rank of issues without a priority. They are taken last, after those with priority 4. */
export const UNPRIORITISED_RANK = 5;

/** Every priority, the lowest rank first; `null` is none. */
export const PRIORITIES_BY_RANK: readonly (number | null)[] = [0, 1, 2, 3, 4, null];

/**
 * The rank by which `svc next`, a take and the screen order ready issues: the lowest rank first, and within a rank the
 * most recently changed issue first (facts cli-and-config 2.1).
 */
export function takeRank({ priority }: { readonly priority?: number | null | undefined }): number {
  return priority ?? UNPRIORITISED_RANK;
}
