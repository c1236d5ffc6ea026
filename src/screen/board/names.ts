import type { State } from "../state.ts";
import type { Issue, Issues } from "./issues.ts";

/** Finds a loaded issue by `project#short_id`. */
export function namedIssue(
  { issues, memo }: Pick<State, "issues" | "memo">,
  name: string,
): Issue | undefined {
  return memo.last(namesIn, { issues }).get(name);
}

function namesIn({ issues }: { readonly issues: Issues }): ReadonlyMap<string, Issue> {
  return new Map([...issues.values()].map((issue) => [issue.qualified_id, issue]));
}
