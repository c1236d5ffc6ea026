import type { State } from "../state.ts";
import type { Issue, Issues } from "./issues.ts";

/** The issue with that `project#short_id`, once looked up for each change of the issues. */
export function namedIssue(
  { issues, memo }: Pick<State, "issues" | "memo">,
  name: string,
): Issue | undefined {
  return memo.last(namesIn, { issues }).get(name);
}

function namesIn({ issues }: { readonly issues: Issues }): ReadonlyMap<string, Issue> {
  return new Map([...issues.values()].map((issue) => [issue.qualified_id, issue]));
}
