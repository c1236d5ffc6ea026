import { addTo } from "../../base/lists.ts";
import type { IssueGraph } from "../../domain/readiness.ts";
import type { LinkEnds, RecurrenceRow } from "../../domain/state.ts";
import type { IssueOutline } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

/** The maximum number of issues that are explained; further issues are only named. */
const MAX_EXPLAINED = 500;

export interface WhyGraph {
  readonly graph: IssueGraph;
  readonly issues: ReadonlyMap<string, IssueOutline>;
}

/**
 * Loads what keeps an issue from being ready, nearest first: its open blockers, its parent, and what keeps these issues
 * from being ready. Children are named but not followed.
 */
export async function loadWhyGraph(reader: Reader, start: StoredIssue): Promise<WhyGraph> {
  const issues = new Map<string, IssueOutline>([[start.uid, start]]);
  const links = new Map<string, LinkEnds[]>();
  const explained = new Set<string>();
  const withChildren = new Set<string>();
  // Load all ancestors, since any of them may keep the issue from being ready.
  const ancestors = await reader.links.ancestors(start.uid);
  let ring: readonly string[] = [start.uid, ...ancestors];
  let parents: readonly string[] = [start.uid];
  while (ring.length > 0 || parents.length > 0) {
    for (const uid of ring) explained.add(uid);
    for (const uid of parents) withChildren.add(uid);
    const found = await reader.links.inTheWay(ring, parents);
    noteLinks(links, found, { ring: new Set(ring), parents: new Set(parents) });
    await loadMissing(reader, issues, found);
    const isOpen = (uid: string): boolean => issues.get(uid)?.status === "open";
    const blockers = found.flatMap(({ type, from_uid }) => (type === "blocks" ? [from_uid] : []));
    const above = found.flatMap(({ type, from_uid, to_uid }) =>
      type === "parent" && explained.has(from_uid) ? [to_uid] : [],
    );
    ring = [...new Set([...blockers, ...above])]
      .filter((uid) => !explained.has(uid) && isOpen(uid))
      .slice(0, Math.max(0, MAX_EXPLAINED - explained.size));
    // Load children of blockers only: open children keep a blocker from being ready, but an ancestor only matters if it
    // is blocked or parked.
    const included = new Set([...explained, ...ring]);
    parents = [...new Set(blockers)].filter((uid) => included.has(uid) && !withChildren.has(uid));
  }
  const series = await loadSeries(reader, issues);
  return { issues, graph: graphOf(issues, links, series) };
}

/** Records each link under the issue that it keeps from being ready. */
function noteLinks(
  links: Map<string, LinkEnds[]>,
  ends: readonly LinkEnds[],
  { ring, parents }: { readonly ring: ReadonlySet<string>; readonly parents: ReadonlySet<string> },
): void {
  for (const link of ends) {
    const { type, from_uid, to_uid } = link;
    if (type === "blocks") addTo(links, to_uid, link);
    else {
      if (ring.has(from_uid)) addTo(links, from_uid, link);
      if (parents.has(to_uid)) addTo(links, to_uid, link);
    }
  }
}

export async function loadMissing(
  reader: Reader,
  issues: Map<string, IssueOutline>,
  links: readonly LinkEnds[],
): Promise<void> {
  const ends = links.flatMap((link) => [link.from_uid, link.to_uid]);
  const missing = [...new Set(ends)].filter((uid) => !issues.has(uid));
  for (const [uid, issue] of await reader.issues.outlines(missing)) issues.set(uid, issue);
}

async function loadSeries(
  reader: Reader,
  issues: ReadonlyMap<string, IssueOutline>,
): Promise<ReadonlyMap<string, RecurrenceRow>> {
  const found = new Map<string, RecurrenceRow>();
  for (const uid of new Set([...issues.values()].flatMap((issue) => issue.recurrence_uid ?? []))) {
    const series = await reader.recurrences.find(uid);
    if (series !== undefined) found.set(uid, series);
  }
  return found;
}

function graphOf(
  issues: ReadonlyMap<string, IssueOutline>,
  links: ReadonlyMap<string, readonly LinkEnds[]>,
  series: ReadonlyMap<string, RecurrenceRow>,
): IssueGraph {
  const projects = new Map([...issues.values()].map((issue) => [issue.project_uid, issue]));
  return {
    issue: (uid) => issues.get(uid),
    recurrence: (uid) => series.get(uid),
    project: (uid) => {
      const issue = projects.get(uid);
      return issue === undefined ? undefined : { deleted_at: issue.project_deleted_at };
    },
    linksOf: (uid) => links.get(uid) ?? [],
  };
}
