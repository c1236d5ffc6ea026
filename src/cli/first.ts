import { takeRank } from "../contract/take-order.ts";

/** The issue to take first of a ready list that is sorted by the last change (facts cli-and-config 2.1). */
export function firstOf<T extends { readonly priority?: number | undefined }>(
  issues: readonly T[],
): T | undefined {
  let first: T | undefined;
  for (const issue of issues) {
    if (first === undefined || takeRank(issue) < takeRank(first)) first = issue;
  }
  return first;
}
