import type { IssueGraph } from "../../domain/readiness.ts";
import type { LinkRow, RecurrenceRow } from "../../domain/state.ts";
import type { Reader, StoredIssue } from "../../store/types.ts";

/** Chains are explained this far; issues beyond it are named and not explained. */
const MAX_EXPLAINED = 500;

export interface WhyGraph {
  readonly graph: IssueGraph;
  readonly issues: ReadonlyMap<string, StoredIssue>;
}

/**
 * Loads what stands in an issue's way, ring by ring: its open blockers, its parent and theirs in turn. Children are
 * loaded and not followed: they are named, and each can be asked for itself.
 */
export async function loadWhyGraph(reader: Reader, start: StoredIssue): Promise<WhyGraph> {
  const issues = new Map<string, StoredIssue>([[start.uid, start]]);
  const links = new Map<string, LinkRow[]>();
  const explained = new Set<string>();
  // However long the line of ancestors is, the one that holds the issue is among those that are loaded.
  const ancestors = await reader.links.ancestors(start.uid);
  if (ancestors.length > 0) {
    for (const [uid, issue] of await reader.issues.many(ancestors)) issues.set(uid, issue);
  }
  let ring: readonly string[] = [start.uid, ...ancestors];
  while (ring.length > 0 && explained.size < MAX_EXPLAINED) {
    for (const uid of ring) explained.add(uid);
    const found = await reader.links.touching(ring);
    noteLinks(links, found, new Set(ring));
    await loadMissing(reader, issues, found);
    ring = nextRing(found, issues, explained).slice(0, MAX_EXPLAINED - explained.size);
  }
  const series = await loadSeries(reader, issues);
  return { issues, graph: graphOf(issues, links, series) };
}

function noteLinks(
  links: Map<string, LinkRow[]>,
  found: readonly LinkRow[],
  ring: ReadonlySet<string>,
): void {
  for (const link of found) {
    for (const uid of [link.from_uid, link.to_uid]) {
      if (!ring.has(uid)) continue;
      const known = links.get(uid);
      if (known === undefined) links.set(uid, [link]);
      else known.push(link);
    }
  }
}

async function loadMissing(
  reader: Reader,
  issues: Map<string, StoredIssue>,
  found: readonly LinkRow[],
): Promise<void> {
  const ends = found
    .filter(({ type }) => type !== "related")
    .flatMap((link) => [link.from_uid, link.to_uid]);
  const missing = [...new Set(ends)].filter((uid) => !issues.has(uid));
  if (missing.length === 0) return;
  for (const [uid, issue] of await reader.issues.many(missing)) issues.set(uid, issue);
}

async function loadSeries(
  reader: Reader,
  issues: ReadonlyMap<string, StoredIssue>,
): Promise<ReadonlyMap<string, RecurrenceRow>> {
  const found = new Map<string, RecurrenceRow>();
  for (const uid of new Set([...issues.values()].flatMap((issue) => issue.recurrence_uid ?? []))) {
    const series = await reader.recurrences.find(uid);
    if (series !== undefined) found.set(uid, series);
  }
  return found;
}

function nextRing(
  found: readonly LinkRow[],
  issues: ReadonlyMap<string, StoredIssue>,
  explained: ReadonlySet<string>,
): readonly string[] {
  const next = found.flatMap(({ type, from_uid, to_uid }) => {
    if (type === "blocks" && explained.has(to_uid)) return [from_uid];
    return type === "parent" && explained.has(from_uid) ? [to_uid] : [];
  });
  return [...new Set(next)].filter(
    (uid) => !explained.has(uid) && issues.get(uid)?.status === "open",
  );
}

function graphOf(
  issues: ReadonlyMap<string, StoredIssue>,
  links: ReadonlyMap<string, readonly LinkRow[]>,
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
