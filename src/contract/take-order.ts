/** Behind the least urgent priority, which is 4: an issue without a priority is taken last. */
export const UNPRIORITISED_RANK = 5;

/**
 * The order in which ready issues are taken, by `svc next`, by a take and on the screen: the lowest rank first, among
 * equals what changed last (facts cli-and-config 2.1).
 */
export function takeRank({ priority }: { readonly priority?: number | null | undefined }): number {
  return priority ?? UNPRIORITISED_RANK;
}
