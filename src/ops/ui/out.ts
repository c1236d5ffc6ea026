import { NeedsWorker } from "../../base/budget.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { IssuePeer } from "../../store/types/issues.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { isHidden, issueCore } from "../out/issues.ts";

/** Issues with their labels and the name of their project (docs/contract/http-api.md#30-shared-objects, UIIssue). */
export async function uiIssuesOut(reader: Reader, issues: readonly StoredIssue[]) {
  const labels = await reader.labels.many(issues.map(({ uid }) => uid));
  return issues.map((issue) => ({
    ...issueCore(issue),
    project_name: issue.project_name,
    labels: (labels.get(issue.uid) ?? []).map(({ label }) => label),
  }));
}

/** If more links than this must be read, a worker handles the request. */
const SMALL_WORK = 4000;

/** Links per part of a list, so that only few rows are in memory beside the text that is made of them. */
const LINKS_PER_PART = 100;

/**
 * The links of these issues in the order of their ids, in parts. Links to hidden issues are left out. `known` contains
 * issues that the caller has read already; they are not read again as the other end of a link.
 */
export async function* linksOfIssues(
  reader: Reader,
  uids: readonly string[],
  { known, smallWorkOnly }: { known: ReadonlyMap<string, IssuePeer>; smallWorkOnly?: boolean },
) {
  // Reading links, and then their other ends, takes a few milliseconds each, so other requests are answered in between.
  await yieldToLoop();
  const links =
    smallWorkOnly === true
      ? await reader.links.touching(uids, SMALL_WORK + 1)
      : await reader.links.touching(uids);
  if (smallWorkOnly === true && links.length > SMALL_WORK) throw new NeedsWorker();
  const unknown = new Set<string>();
  for (const { from_uid, to_uid } of links) {
    if (!known.has(from_uid)) unknown.add(from_uid);
    if (!known.has(to_uid)) unknown.add(to_uid);
  }
  await yieldToLoop();
  const read = await reader.issues.peers([...unknown]);
  await yieldToLoop();
  const end = (uid: string) => known.get(uid) ?? read.get(uid);
  for (let at = 0; at < links.length; at += LINKS_PER_PART)
    yield links.slice(at, at + LINKS_PER_PART).flatMap((link) => {
      const [from, to] = [end(link.from_uid), end(link.to_uid)];
      if (from === undefined || to === undefined || isHidden(from) || isHidden(to)) return [];
      return [uiLinkOut(link, from, to)];
    });
}

export function uiLinkOut(
  { id, type, author, created_at }: WithId<LinkRow>,
  from: IssuePeer,
  to: IssuePeer,
) {
  return {
    id,
    from_issue_id: from.id,
    from_issue_uid: from.uid,
    from_qualified_id: qualifiedId(from.project_name, from.short_id),
    from_status: from.status,
    to_issue_id: to.id,
    to_issue_uid: to.uid,
    to_qualified_id: qualifiedId(to.project_name, to.short_id),
    to_status: to.status,
    type,
    author,
    created_at,
  };
}
