import { SEARCH_DEFAULT_LIMIT, SEARCH_MAX_LIMIT } from "../../contract/limits.ts";
import type { Input } from "../../contract/route.ts";
import type { searchIssues } from "../../contract/search.ts";
import type { SearchQuery } from "../../store/types/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import { issueFilter, lowerCaseLabels } from "../issues/filter.ts";

type Query = Input<typeof searchIssues>["query"];

/** Returns the query of a request as the store takes it. */
export function searchQuery(project: Pick<StoredProject, "uid">, query: Query): SearchQuery {
  // Labels are searched in the full-text index, so the filter leaves them out.
  const { limit: _, label, exclude_label, ...others } = query;
  return {
    project_uid: project.uid,
    text: query.q,
    limit: readLimit(query),
    include_deleted: query.include_deleted === true,
    labels: lowerCaseLabels(label),
    exclude_labels: lowerCaseLabels(exclude_label),
    filter: issueFilter(others),
  };
}

/** Returns how many results to read: one more than asked for if the size of the answer is limited. */
export function readLimit(query: Query): number {
  return boundedLimit(query.limit) + (query.max_bytes === undefined ? 0 : 1);
}

/**
 * Returns the default for an absent, zero or negative limit, and the maximum for a larger limit
 * (docs/contract/search.md#2-the-route).
 */
function boundedLimit(limit: number | undefined): number {
  if (limit === undefined || limit <= 0) return SEARCH_DEFAULT_LIMIT;
  return Math.min(limit, SEARCH_MAX_LIMIT);
}
