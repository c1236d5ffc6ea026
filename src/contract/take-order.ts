/** Behind the least urgent priority, which is 4: an issue without a priority is taken last. */
export const UNPRIORITISED_RANK = 5;

/** Every priority, the lowest rank first; `null` is none. */
export const PRIORITIES_BY_RANK: readonly (number | null)[] = [0, 1, 2, 3, 4, null];

/**
 * The order in which ready issues are taken, by `svc next`, by a take and on the screen: the lowest rank first, among
 * equals what changed last (facts cli-and-config 2.1).
 */
export function takeRank({ priority }: { readonly priority?: number | null | undefined }): number {
  return priority ?? UNPRIORITISED_RANK;
}
