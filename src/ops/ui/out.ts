import { NeedsWorker } from "../../base/budget.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { IssuePeer } from "../../store/types/issues.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { isHidden, issueCore } from "../out/issues.ts";

/** Issues with their labels and the name of their project (facts http-api 3.0, UIIssue). */
export async function uiIssuesOut(reader: Reader, issues: readonly StoredIssue[]) {
  const labels = await reader.labels.many(issues.map(({ uid }) => uid));
  return issues.map((issue) => ({
    ...issueCore(issue),
    project_name: issue.project_name,
    labels: (labels.get(issue.uid) ?? []).map(({ label }) => label),
  }));
}

/** How many links are read on the daemon's own thread: a few milliseconds of work. */
const SMALL_WORK = 4000;

/** The links of these issues in the order of their ids. Links to hidden issues are left out. */
export async function linksOfIssues(
  reader: Reader,
  uids: readonly string[],
  smallWorkOnly: boolean | undefined,
) {
  // The links take about as long as the issues, so other requests are answered before and after them.
  await yieldToLoop();
  const links = await reader.links.touching(
    uids,
    smallWorkOnly === true ? SMALL_WORK + 1 : undefined,
  );
  if (smallWorkOnly === true && links.length > SMALL_WORK) throw new NeedsWorker();
  const named = new Set(links.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]));
  const ends = await reader.issues.peers([...named]);
  const shown = links.flatMap((link) => {
    const [from, to] = [ends.get(link.from_uid), ends.get(link.to_uid)];
    if (from === undefined || to === undefined || isHidden(from) || isHidden(to)) return [];
    return [uiLinkOut(link, from, to)];
  });
  await yieldToLoop();
  return shown;
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
