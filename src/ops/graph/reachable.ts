import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { reachableIssueGraph as contract } from "../../contract/graph.ts";
import type { Output } from "../../contract/route.ts";
import { redundantEdges } from "../../domain/graph.ts";
import type { LinkRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { isHidden, issueCore } from "../out/issues.ts";

type Graph = Output<typeof contract>;

/** How much is read on the daemon's own thread: a few milliseconds of work. */
const LITTLE = { issues: 400, links: 2000 } as const;

/** Finds the issues that are connected to one by links in either direction, across projects (facts http-api 6.10). */
export const reachableIssueGraph: ReadOp<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  _who,
  { params, query },
) => {
  const depth = depthOf(query.depth);
  const hide_done = query.hide_done === true;
  return await deps.store.read(async (reader) => {
    const { issue: source } = await requireIssue(reader, params);
    const walked = await walk(reader, source, {
      depth,
      smallWorkOnly: deps.smallWorkOnly === true,
      shows: (issue) => !isHidden(issue) && !(hide_done && issue.status === "closed"),
    });
    return {
      source_uid: source.uid,
      depth: depth === Number.POSITIVE_INFINITY ? "full" : depth,
      hide_done,
      nodes: [...walked.nodes.values()].map(issueCore),
      edges: edgesOf(walked),
      unresolved_refs: unresolvedOf(walked),
    };
  });
};

function depthOf(text: string | undefined): number {
  if (text === undefined || text === "full") return Number.POSITIVE_INFINITY;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const message = "depth must be full or a non-negative integer";
  throw new SvcError("validation", { field: "depth" }, { message });
}

interface Walked {
  /** Issues by uid: the source first, the others by distance. */
  readonly nodes: ReadonlyMap<string, StoredIssue>;
  readonly links: readonly LinkRow[];
  readonly missing: ReadonlySet<string>;
}

interface Walk {
  readonly depth: number;
  readonly smallWorkOnly: boolean;
  readonly shows: (issue: StoredIssue) => boolean;
}

async function walk(
  reader: Reader,
  source: StoredIssue,
  { depth, smallWorkOnly, shows }: Walk,
): Promise<Walked> {
  const nodes = new Map([[source.uid, source]]);
  const links = new Map<number, LinkRow>();
  const seen = new Set([source.uid]);
  const missing = new Set<string>();
  let ring: readonly string[] = [source.uid];
  // The links of the last ring are read too, since they may connect shown nodes.
  for (let distance = 0; ring.length > 0; distance++) {
    if (smallWorkOnly && (await reader.links.touchMoreThan(ring, LITTLE.links)))
      throw new NeedsWorker();
    const touching = await reader.links.touching(ring);
    for (const link of touching) links.set(link.id, link);
    const ends = touching.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
    const next = [...new Set(ends)].filter((uid) => !seen.has(uid)).sort();
    if (smallWorkOnly && nodes.size + next.length > LITTLE.issues) throw new NeedsWorker();
    const found = next.length === 0 ? new Map() : await reader.issues.many(next);
    for (const uid of next) if (!found.has(uid)) missing.add(uid);
    if (distance >= depth) break;
    for (const uid of next) seen.add(uid);
    ring = next.filter((uid) => {
      const issue: StoredIssue | undefined = found.get(uid);
      if (issue === undefined || !shows(issue)) return false;
      nodes.set(uid, issue);
      return true;
    });
  }
  const ordered = [...links].sort(([a], [b]) => a - b).map(([, link]) => link);
  return { nodes, links: ordered, missing };
}

function edgesOf({ nodes, links }: Walked) {
  const shown = links.filter(({ from_uid, to_uid }) => nodes.has(from_uid) && nodes.has(to_uid));
  const blocks = shown.filter(({ type }) => type === "blocks").map(ends);
  const redundant = new Set([...redundantEdges(blocks)].map(({ link }) => link));
  return shown.map((link) => {
    const { from, to } = ends(link);
    return { from_uid: from, to_uid: to, kind: link.type, layout: !redundant.has(link) };
  });
}

/** A parent link is stored from child to parent and shown from parent to child. */
function ends(link: LinkRow) {
  const { type, from_uid, to_uid } = link;
  return type === "parent"
    ? { from: to_uid, to: from_uid, link }
    : { from: from_uid, to: to_uid, link };
}

/** Links whose other end does not exist, which only manual repairs can cause. */
function unresolvedOf({ nodes, links, missing }: Walked): Graph["unresolved_refs"] {
  return links.flatMap((link): Graph["unresolved_refs"] => {
    const { from, to } = ends(link);
    if (nodes.has(from) && missing.has(to)) {
      return [{ uid: from, side: "to", kind: link.type, other_uid: to }];
    }
    if (nodes.has(to) && missing.has(from)) {
      return [{ uid: to, side: "from", kind: link.type, other_uid: from }];
    }
    return [];
  });
}
