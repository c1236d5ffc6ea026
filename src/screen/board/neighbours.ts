import type { Issue, Issues } from "./issues.ts";

/**
 * What is told of an issue that is closed, reopened, deleted, restored or moved here or away names it alone, but its
 * parent counts it, and what it blocks stands otherwise. These are to be read again, as far as they are shown.
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
