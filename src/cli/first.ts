import { JSON_BUDGET_BYTES } from "../contract/list-budget.ts";
import { takeRank } from "../contract/take-order.ts";
import { shortIssue } from "../domain/short-issue.ts";

/**
 * Chooses the issue to take first: the one with the lowest `takeRank`, and of equal ones the first in the list, which
 * is sorted by the last change (facts cli-and-config 2.1).
 */
export function firstOf<T extends { readonly priority?: number | undefined }>(
  issues: readonly T[],
): T | undefined {
  let first: T | undefined;
  for (const issue of issues) {
    if (first === undefined || takeRank(issue) < takeRank(first)) first = issue;
  }
  return first;
}

/**
 * What `svc next --json` prints for the first issue. The lists in the issue are cut so that the answer fits its limit.
 */
export function firstAnswer(issue: object | undefined): { readonly issue: object | null } {
  if (issue === undefined) return { issue: null };
  const over = Buffer.byteLength(JSON.stringify(issue)) + AROUND_BYTES - JSON_BUDGET_BYTES;
  return { issue: shortIssue(issue, over) };
}

/** The most bytes of the key `issue` and of the version that commands add. */
const AROUND_BYTES = 64;
