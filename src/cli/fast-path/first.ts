import { JSON_BUDGET_BYTES } from "../../contract/list-budget.ts";
import { takeRank } from "../../contract/take-order.ts";
import { shortIssue } from "../../domain/short-issue.ts";

/**
 * Chooses the issue to take first: the one with the most urgent priority (0 comes first, no priority last). Among equal
 * priorities the first issue of the list counts, because it was changed most recently (facts cli-and-config 2.1).
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
 * What `svc next --json` prints. If the issue is long, its lists, metadata and body are cut, so that the answer stays
 * below the default limit of JSON output.
 */
export function firstAnswer(issue: object | undefined): { readonly issue: object | null } {
  if (issue === undefined) return { issue: null };
  const over = Buffer.byteLength(JSON.stringify(issue)) + AROUND_BYTES - JSON_BUDGET_BYTES;
  return { issue: shortIssue(issue, over) };
}

/** The most bytes that the printed JSON has besides the issue: the key `issue` and the API version. */
const AROUND_BYTES = 64;
