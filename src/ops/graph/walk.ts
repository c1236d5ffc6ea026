import { NeedsWorker } from "../../base/budget.ts";
import type { reachableIssueGraph } from "../../contract/graph.ts";
import type { Output } from "../../contract/route.ts";
import { redundantEdges } from "../../domain/graph.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

type Graph = Output<typeof reachableIssueGraph>;

/** If more than this must be read, a worker handles the request. */
const SMALL_WORK = { issues: 400, links: 2000 } as const;

export interface WalkResult {
  /** The found issues by uid: first the sources, where the walk started, then the others by distance. */
  readonly nodes: ReadonlyMap<string, StoredIssue>;
  readonly links: readonly WithId<LinkRow>[];
  readonly missing: ReadonlySet<string>;
  /** True if issues are left out because there are more than `most`. */
  readonly cut: boolean;
}

interface WalkLimits {
  readonly depth: number;
  /** The largest number of issues besides the sources. */
  readonly most?: number;
  readonly smallWorkOnly: boolean;
  readonly shows: (issue: StoredIssue) => boolean;
}

export async function walk(
  reader: Reader,
  sources: readonly StoredIssue[],
  { depth, most = Number.POSITIVE_INFINITY, smallWorkOnly, shows }: WalkLimits,
): Promise<WalkResult> {
  const nodes = new Map(sources.map((source) => [source.uid, source]));
  const links = new Map<number, WithId<LinkRow>>();
  const seen = new Set(nodes.keys());
  const missing = new Set<string>();
  let cut = false;
  let ring: readonly string[] = [...nodes.keys()];
  // The links of the most distant issues are read too, since they may connect shown issues.
  for (let distance = 0; ring.length > 0; distance++) {
    if (smallWorkOnly && (await reader.links.touchMoreThan(ring, SMALL_WORK.links)))
      throw new NeedsWorker();
    const touching = await reader.links.touching(ring);
    for (const link of touching) links.set(link.id, link);
    const ends = touching.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
    const next = [...new Set(ends)].filter((uid) => !seen.has(uid)).sort();
    if (smallWorkOnly && nodes.size + next.length > SMALL_WORK.issues) throw new NeedsWorker();
    const found = next.length === 0 ? new Map() : await reader.issues.many(next);
    for (const uid of next) if (!found.has(uid)) missing.add(uid);
    if (distance >= depth) break;
    for (const uid of next) seen.add(uid);
    ring = next.filter((uid) => {
      const issue: StoredIssue | undefined = found.get(uid);
      if (issue === undefined || !shows(issue)) return false;
      if (nodes.size >= sources.length + most) cut = true;
      if (cut) return false;
      nodes.set(uid, issue);
      return true;
    });
  }
  const ordered = [...links].sort(([a], [b]) => a - b).map(([, link]) => link);
  return { nodes, links: ordered, missing, cut };
}

export function edgesOf({ nodes, links }: WalkResult) {
  const shown = links.filter(({ from_uid, to_uid }) => nodes.has(from_uid) && nodes.has(to_uid));
  const blocks = shown.filter(({ type }) => type === "blocks").map(directedEdge);
  const redundant = new Set([...redundantEdges(blocks)].map(({ link }) => link));
  return shown.map((link) => {
    const { from, to } = directedEdge(link);
    return { from_uid: from, to_uid: to, kind: link.type, layout: !redundant.has(link) };
  });
}

/**
 * Returns a link with its ends in the direction in which the graph shows it. A parent link is stored from child to
 * parent, and shown from parent to child.
 */
function directedEdge(link: LinkRow) {
  const { type, from_uid, to_uid } = link;
  return type === "parent"
    ? { from: to_uid, to: from_uid, link }
    : { from: from_uid, to: to_uid, link };
}

/** Returns the links whose other end does not exist. Only manual repairs of the database can cause such links. */
export function unresolvedOf({ nodes, links, missing }: WalkResult): Graph["unresolved_refs"] {
  return links.flatMap((link): Graph["unresolved_refs"] => {
    const { from, to } = directedEdge(link);
    if (nodes.has(from) && missing.has(to)) {
      return [{ uid: from, side: "to", kind: link.type, other_uid: to }];
    }
    if (nodes.has(to) && missing.has(from)) {
      return [{ uid: to, side: "from", kind: link.type, other_uid: from }];
    }
    return [];
  });
}
