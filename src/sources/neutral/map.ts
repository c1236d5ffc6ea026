import { deletedIn, type ImportAccount, NO_WORK, newTally } from "./account.ts";
import { type EndState, type MappedEdges, mapEdges } from "./edges.ts";
import type { ImportItem } from "./item.ts";
import { checkLimits } from "./limits.ts";
import { mapIssue, type Work } from "./map-issue.ts";
import type { Mapping } from "./mapping.ts";
import { statusRule, typeRule } from "./mapping-rules.ts";
import type { SourceData, SourceIssue, SourceReader } from "./record.ts";
import { account, countLeftOut, idsByType, type SortedIssues, unmapped } from "./source-account.ts";

/** The issues of a source, ready to be sent. They have been checked, so the daemon refuses none of them. */
export interface MappedFile {
  readonly format: string;
  /** The source name by which the daemon recognizes the issues in a later import. */
  readonly source: string;
  readonly count: number;
  /** Number of items with links. */
  readonly linked: number;
  readonly ids: readonly string[];
  /** The ids of the issues that the source names as deleted. */
  readonly removed: readonly string[];
  /** The issues, oldest first. Each is mapped only when it is read, and they can be read only once. */
  readonly items: Iterable<ImportItem>;
  /** The import's report. It counts only the issues that have been read from `items` so far. */
  account(): ImportAccount;
}

/**
 * Maps the issues of a source to those of svc. Throws if the daemon would refuse an issue. After this check the mapping
 * cannot fail, so it is done lazily, while issues are already being sent. With `namesUnmapped`, the report lists the
 * statuses, types and kinds of links for which the mapping has no rule.
 */
export function mapSource(
  reader: SourceReader,
  data: SourceData,
  mapping: Mapping,
  namesUnmapped = false,
): MappedFile {
  const counts = newTally();
  const issues = [...data.byId.values()];
  const sorted = sortOut(issues, mapping);
  const stateOf = (id: string): EndState => {
    const issue = data.byId.get(id);
    return issue === undefined ? "absent" : stateIn(issue, mapping);
  };
  const edges = mapEdges(
    issues.flatMap((issue) => issue.links ?? []),
    stateOf,
    mapping.links,
    `${reader.prefix}.edges`,
  );
  for (const { kind, outcome } of edges.outcomes) counts.add("edges", kind, outcome);
  const work: Work = {
    reader,
    mapping,
    edges,
    counts,
    collisions: new Map(),
    openParents: openParentsOf(data, edges, mapping),
    isMissing: (id) => stateOf(id) === "absent",
  };
  const { kept, tombstone } = sorted;
  for (const issue of tombstone) countLeftOut(issue, work, deletedIn(reader.prefix));
  for (const issue of sorted["no work"]) countLeftOut(issue, work, NO_WORK);
  for (const issue of kept) checkLimits(issue, edges.links.get(issue.id) ?? []);
  kept.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  return {
    format: reader.prefix,
    source: data.source ?? reader.prefix,
    count: kept.length,
    linked: edges.links.size,
    ids: kept.map(({ id }) => id),
    removed: tombstone.map(({ id }) => id),
    items: mapIssues(kept, work),
    account: () => ({
      ...account(data, sorted, work),
      ...(sorted["no work"].length > 0 && { no_work: idsByType(sorted["no work"]) }),
      ...(namesUnmapped && { unmapped: unmapped(counts, mapping) }),
    }),
  };
}

/** The ids of the issues that have a child which is imported as open. */
function openParentsOf(
  { byId }: SourceData,
  { links }: MappedEdges,
  mapping: Mapping,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [child, list] of links) {
    const issue = byId.get(child);
    if (issue === undefined || statusRule(issue, mapping)?.status === "closed") continue;
    for (const { type, to } of list) if (type === "parent") found.add(to);
  }
  return found;
}

function sortOut(issues: readonly SourceIssue[], mapping: Mapping): SortedIssues {
  const sorted: SortedIssues = { kept: [], tombstone: [], "no work": [] };
  for (const issue of issues) sorted[stateIn(issue, mapping)].push(issue);
  return sorted;
}

function stateIn(issue: SourceIssue, mapping: Mapping): keyof SortedIssues {
  if (statusRule(issue, mapping)?.status === "deleted") return "tombstone";
  return typeRule(issue, mapping) === "ignore" ? "no work" : "kept";
}

function* mapIssues(issues: readonly SourceIssue[], work: Work): Generator<ImportItem> {
  for (const issue of issues) yield mapIssue(issue, work);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
