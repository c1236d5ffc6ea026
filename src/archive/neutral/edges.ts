import type { LinkType } from "../../domain/state.ts";
import type { BeadsEdge } from "../beads/record.ts";
import type { Outcome } from "./account.ts";

/** Whether the file contains the issue at an end of an edge: as an issue, only as a tombstone, or not at all. */
export type EndState = "kept" | "tombstone" | "absent";

export interface MappedLink {
  readonly type: LinkType;
  readonly to: string;
  /** The other issue blocks this one. */
  readonly incoming?: true;
  readonly edge: BeadsEdge;
}

export interface MappedEdges {
  /**
   * Links by the issue whose line has the edge: a child names its parent, a blocked issue its blocker. So an issue has
   * all of its links in any part of the file that it is in.
   */
  readonly links: ReadonlyMap<string, readonly MappedLink[]>;
  /** Edges that no link represents exactly, by issue; they are kept in the issue's metadata. */
  readonly inexact: ReadonlyMap<string, readonly BeadsEdge[]>;
  readonly counts: { readonly parent: number; readonly blocks: number; readonly related: number };
  readonly outcomes: readonly { readonly kind: string; readonly outcome: Outcome }[];
}

export const EDGES_KEY = "beads.edges";

const IN_METADATA = `its words are kept in metadata ${EDGES_KEY}`;

/** Edge kinds that a link represents exactly; every other kind becomes `related`. */
const EXACT: Readonly<Record<string, LinkType>> = {
  "parent-child": "parent",
  blocks: "blocks",
  related: "related",
};

/**
 * Converts edges to links, in the order of the file. A child keeps its first parent only, and cycles of parents are
 * dropped, as svc requires (facts http-api 4.4); cycles of blockers are allowed.
 */
export function mapEdges(
  edges: Iterable<BeadsEdge>,
  stateOf: (id: string) => EndState,
): MappedEdges {
  const links = new Map<string, MappedLink[]>();
  const inexact = new Map<string, BeadsEdge[]>();
  const counts = { parent: 0, blocks: 0, related: 0 };
  const outcomes: { kind: string; outcome: Outcome }[] = [];
  const parentOf = new Map<string, string>();
  const seen = new Set<string>();

  for (const edge of edges) {
    const type = EXACT[edge.kind] ?? "related";
    const refusal = refuse(edge, type, stateOf, parentOf, seen);
    const waits = refusal === undefined ? waiting(stateOf(edge.to)) : undefined;
    if (refusal === undefined) {
      seen.add(linkKey(type, edge));
      if (type === "parent") parentOf.set(edge.from, edge.to);
      const blocked = type === "blocks" ? ({ incoming: true } as const) : {};
      push(links, edge.from, { type, to: edge.to, ...blocked, edge });
      if (waits === undefined) counts[type] += 1;
    }
    const outcome = refusal ?? waits ?? accepted(edge.kind, type);
    outcomes.push({ kind: edge.kind, outcome });
    const exact = refusal === undefined && edge.kind in EXACT;
    if (!exact && stateOf(edge.from) === "kept") push(inexact, edge.from, edge);
  }
  return { links, inexact, counts, outcomes };
}

function accepted(kind: string, type: LinkType): Outcome {
  if (kind in EXACT) return { kind: "kept", to: `link ${type}` };
  return { kind: "mapped", to: "link related", why: `svc has no such kind; ${IN_METADATA}` };
}

/** The daemon remembers the link, so that parts of a file give what the whole gives, in any order. */
function waiting(other: EndState): Outcome | undefined {
  if (other === "kept") return undefined;
  const why =
    other === "absent" ? "the other end is not in the file" : "the other end is a tombstone";
  return { kind: "mapped", to: "a link once its other end is imported", why };
}

function refuse(
  edge: BeadsEdge,
  type: LinkType,
  stateOf: (id: string) => EndState,
  parentOf: ReadonlyMap<string, string>,
  seen: ReadonlySet<string>,
): Outcome | undefined {
  if (stateOf(edge.from) === "tombstone") return dropped("its issue is a tombstone");
  const kept = (why: string): Outcome => dropped(`${why}; ${IN_METADATA}`);
  if (edge.from === edge.to) return kept("both ends are one issue");
  if (seen.has(linkKey(type, edge))) return kept("a link of this kind joins the two already");
  if (type !== "parent") return undefined;
  if (parentOf.has(edge.from)) return kept("the child has a parent already");
  return isBelow(edge.to, edge.from, parentOf)
    ? kept("the parents would go in a circle")
    : undefined;
}

/** Whether `ancestor` is above `issue` in the tree of parents. */
function isBelow(issue: string, ancestor: string, parentOf: ReadonlyMap<string, string>): boolean {
  for (let at = parentOf.get(issue); at !== undefined; at = parentOf.get(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

/** `related` has no direction, so both directions have the same key. */
function linkKey(type: LinkType, edge: BeadsEdge): string {
  const ends =
    type === "related" && edge.to < edge.from ? [edge.to, edge.from] : [edge.from, edge.to];
  return JSON.stringify([type, ...ends]);
}

function dropped(why: string): Outcome {
  return { kind: "dropped", why };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
