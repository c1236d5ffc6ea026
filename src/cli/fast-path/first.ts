import { JSON_BUDGET_BYTES } from "../../contract/list-budget.ts";
import { compareTake, type Takeable } from "../../contract/take-order.ts";
import { shortIssue } from "../../domain/short-issue.ts";

/**
 * Chooses the issue to take first, for a daemon that can only list the ready issues. Returns `undefined` if there are
 * none.
 */
export function firstOf<T extends Takeable>(issues: readonly T[]): T | undefined {
  return issues.toSorted(compareTake)[0];
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
