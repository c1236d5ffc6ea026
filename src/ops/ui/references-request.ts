import { SvcError } from "../../contract/errors.ts";
import { MAX_REFERENCE_UIDS, REFERENCES_DEFAULT_LIMIT } from "../../contract/limits.ts";
import type { Input } from "../../contract/route.ts";
import type { readUIReferences } from "../../contract/ui-references.ts";

/**
 * A request for what a page suggests (projects, issues, owners, labels), in normal form: equal requests give equal
 * values.
 */
export interface ReferencesRequest {
  readonly q: string;
  readonly project_uid: string | undefined;
  readonly issue_uids: readonly string[];
  readonly limit: number;
}

export function referencesRequest({
  q = "",
  project_uid,
  issue_uid = [],
  limit,
}: Input<typeof readUIReferences>["query"]): ReferencesRequest {
  const issue_uids = [...new Set(issue_uid.map((uid) => uid.toUpperCase()))].sort();
  if (issue_uids.length > MAX_REFERENCE_UIDS) {
    const field = "issue_uid";
    const message = `${field}: at most ${MAX_REFERENCE_UIDS} issues at once`;
    throw new SvcError("validation", { field, limit: MAX_REFERENCE_UIDS }, { message });
  }
  return {
    q: q.trim().toLowerCase(),
    project_uid: project_uid?.toUpperCase(),
    issue_uids,
    limit: limit ?? Math.max(REFERENCES_DEFAULT_LIMIT, issue_uids.length),
  };
}
