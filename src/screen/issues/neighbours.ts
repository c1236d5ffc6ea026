import type { Issue, Issues } from "./issues.ts";

/**
 * The parents and linked issues of issues that were added, removed or changed in status. An event names only its own
 * issue, but the change also affects the parent's counts and the readiness of linked issues, so these issues must be
 * read again.
 */
export function neighboursOf(
  before: Pick<Issues, "get">,
  after: Issues,
  uids: Iterable<string>,
): readonly string[] {
  const changed = new Set(uids);
  const found = new Set<string>();
  for (const uid of changed) {
    const [was, is] = [before.get(uid), after.get(uid)];
    if (was?.status === is?.status) continue;
    for (const neighbour of [...linksOf(was), ...linksOf(is)])
      if (after.has(neighbour) && !changed.has(neighbour)) found.add(neighbour);
  }
  return [...found];
}

function linksOf(issue: Issue | undefined): readonly string[] {
  if (issue === undefined) return [];
  const { parent, blocks, blocked_by } = issue;
  return [...(parent === undefined ? [] : [parent]), ...blocks, ...blocked_by];
}

/** The open issues that block an issue. Blockers that are not loaded are left out. */
export function openBlockersOf(
  issues: Pick<Issues, "get">,
  { blocked_by }: Pick<Issue, "blocked_by">,
): readonly Issue[] {
  return blocked_by
    .flatMap((uid) => issues.get(uid) ?? [])
    .filter(({ status }) => status === "open");
}
