import type { Issue, Issues } from "./issues.ts";

const known = new WeakMap<Issues, ReadonlyMap<string, Issue>>();

/** The issue with that `project#short_id`, once looked up for each change of the issues. */
export function namedIssue(issues: Issues, name: string): Issue | undefined {
  let names = known.get(issues);
  if (names === undefined) {
    names = new Map([...issues.values()].map((issue) => [issue.qualified_id, issue]));
    known.set(issues, names);
  }
  return names.get(name);
}
