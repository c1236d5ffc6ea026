import { addTo } from "../../base/lists.ts";
import { findCriticalPath } from "../../domain/critical-path.ts";
import type { State } from "../state.ts";
import { type TreeInput, treeRows } from "./graph.ts";

/** The issues of the tree's rows with the links between them, for a painter that draws them as boxes and arrows. */
export interface GraphPicture {
  readonly uids: readonly string[];
  readonly links: readonly PictureLink[];
  /** The issues of the longest chain of open blockers that ends in the source; empty if nothing blocks the source. */
  readonly critical: ReadonlySet<string>;
}

export interface PictureLink {
  readonly from: string;
  readonly to: string;
  readonly kind: "parent" | "blocks" | "related";
  /** Whether the link is a step of the critical path, the longest chain of open blockers that ends in the source. */
  readonly critical: boolean;
}

/**
 * The picture of the graph; `undefined` while the graph is not read. Issues that are folded in the tree are not in the
 * picture either.
 */
export function pictureOf({
  graph,
  memo,
}: Pick<State, "graph" | "memo">): GraphPicture | undefined {
  if (graph?.data === undefined) return undefined;
  const { source, data, transitive, folded } = graph;
  return memo.last(compute, { source, data, transitive, folded });
}

function compute(tree: TreeInput): GraphPicture {
  const { data, transitive } = tree;
  const uids = new Set(treeRows(tree).flatMap(({ uid }) => uid ?? []));
  const isStep = stepsOf(tree);
  const links = (data?.edges ?? []).flatMap(({ from_uid: from, to_uid: to, kind, layout }) => {
    if (!(layout || transitive) || !uids.has(from) || !uids.has(to)) return [];
    return { from, to, kind, critical: kind === "blocks" && isStep(from, to) };
  });
  const critical = links.filter((link) => link.critical).flatMap(({ from, to }) => [from, to]);
  return { uids: [...uids], links, critical: new Set(critical) };
}

/**
 * The part of a picture with the `count` issues that are the fewest links away from the source. The source is one of
 * them.
 */
export function nearestOf(picture: GraphPicture, source: string, count: number): GraphPicture {
  const ends = new Map<string, string[]>();
  for (const { from, to } of picture.links) {
    addTo(ends, from, to);
    addTo(ends, to, from);
  }
  const near = new Set([source]);
  // The loop also visits the issues that it adds to the set.
  for (const uid of near)
    for (const to of ends.get(uid) ?? []) {
      if (near.size === count) break;
      near.add(to);
    }
  const links = picture.links.filter(({ from, to }) => near.has(from) && near.has(to));
  return { ...picture, uids: picture.uids.filter((uid) => near.has(uid)), links };
}

/**
 * Returns a function that tells whether a link is a step of the critical path. Issues that block each other in a cycle
 * share one place on the path.
 */
function stepsOf({ data, source }: TreeInput): (from: string, to: string) => boolean {
  const open = new Set(data?.nodes.filter(({ status }) => status === "open").map(({ uid }) => uid));
  const blocks = (data?.edges ?? [])
    .filter(
      ({ kind, from_uid, to_uid }) => kind === "blocks" && open.has(from_uid) && open.has(to_uid),
    )
    .map(({ from_uid, to_uid }) => ({ from: from_uid, to: to_uid }));
  const { path } = findCriticalPath(blocks, (uid) => uid === source);
  let place = 0;
  const places = new Map<string, number>();
  for (const [at, { uid, circle }] of path.entries()) {
    if (at > 0 && !(circle && path[at - 1]?.circle === true)) place += 1;
    places.set(uid, place);
  }
  return (from, to) => {
    const [one, other] = [places.get(from), places.get(to)];
    return one !== undefined && other !== undefined && (other - one === 1 || one === other);
  };
}
