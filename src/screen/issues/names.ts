import type { State } from "../state.ts";
import type { Issue, Issues } from "./issues.ts";

/** Finds a loaded issue by `project#short_id`. */
export function namedIssue(
  { issues, memo }: Pick<State, "issues" | "memo">,
  name: string,
): Issue | undefined {
  return memo.last(namesIn, { issues }).get(name);
}

/**
 * Finds the loaded issue that `ref` names: by uid, by qualified id or by short id. A short id is looked up in the
 * project of the given issue.
 */
export function issueNamed(
  state: Pick<State, "issues" | "memo">,
  { project_name }: Pick<Issue, "project_name">,
  ref: string,
): Issue | undefined {
  const byName = namedIssue(state, ref) ?? namedIssue(state, `${project_name}#${ref}`);
  return state.issues.get(ref) ?? byName;
}

function namesIn({ issues }: { readonly issues: Issues }): ReadonlyMap<string, Issue> {
  return new Map([...issues.values()].map((issue) => [issue.qualified_id, issue]));
}
