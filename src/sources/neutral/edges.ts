import type { LinkType } from "../../domain/state.ts";
import type { Outcome } from "./account.ts";
import type { LinkWord, Mapping } from "./mapping.ts";
import type { SourceLink } from "./record.ts";

/**
 * What happens to the issue at one end of an edge: it is imported (`kept`), was deleted in the source (`tombstone`),
 * has a type that the mapping ignores (`no work`), or is not in the source (`absent`).
 */
export type EndState = "kept" | "tombstone" | "no work" | "absent";

export interface MappedLink {
  readonly type: LinkType;
  readonly to: string;
  /** Present for a `blocks` link if the other issue blocks this one. */
  readonly incoming?: true;
  readonly edge: SourceLink;
}

export interface MappedEdges {
  /**
   * The links, by the id of the issue with which they are sent. A parent link is sent with the child, because svc's
   * import accepts it only there. Any other link is sent with the issue that states the edge.
   */
  readonly links: ReadonlyMap<string, readonly MappedLink[]>;
  /**
   * The edges that no link represents exactly, by the issue that states them. They are kept in the issue's metadata.
   */
  readonly inexact: ReadonlyMap<string, readonly SourceLink[]>;
  readonly counts: { readonly parent: number; readonly blocks: number; readonly related: number };
  readonly outcomes: readonly { readonly kind: string; readonly outcome: Outcome }[];
}

/**
 * The meaning of each link word. Without `reverse`, the issue that states the edge is the child or the blocked issue;
 * with `reverse`, it is the parent or the blocker.
 */
const MEANINGS = {
  parent: { type: "parent", reverse: false },
  child: { type: "parent", reverse: true },
  "blocked-by": { type: "blocks", reverse: false },
  blocks: { type: "blocks", reverse: true },
  related: { type: "related", reverse: false },
} as const satisfies Record<Exclude<LinkWord, "ignore">, { type: LinkType; reverse: boolean }>;

/** An edge with its direction resolved: `lower` is the child or the blocked issue. */
interface Edge {
  readonly type: LinkType;
  readonly lower: string;
  readonly upper: string;
  readonly holder: string;
}

/**
 * Converts edges to links, in the order of the source. An edge of a kind for which the mapping has no rule becomes
 * `related`. `key` is the metadata key for edges that no link represents. Parents follow the rules of svc
 * (docs/contract/http-api.md#44-links):
 *
 * - An issue keeps only its first parent.
 * - An edge that would close a cycle of parents is dropped. Cycles of blockers are allowed.
 */
export function mapEdges(
  edges: Iterable<SourceLink>,
  stateOf: (id: string) => EndState,
  kinds: Mapping["links"],
  key: string,
): MappedEdges {
  const links = new Map<string, MappedLink[]>();
  const inexact = new Map<string, SourceLink[]>();
  const counts = { parent: 0, blocks: 0, related: 0 };
  const outcomes: { kind: string; outcome: Outcome }[] = [];
  const parentOf = new Map<string, string>();
  const seen = new Set<string>();
  const inMetadata = `its words are kept in metadata ${key}`;

  for (const edge of edges) {
    const word = Object.hasOwn(kinds, edge.kind) ? kinds[edge.kind] : undefined;
    if (word === "ignore") {
      outcomes.push({ kind: edge.kind, outcome: droppedOutcome("links of this kind are ignored") });
      continue;
    }
    const one = directedEdge(edge, word);
    const refusal = refuse(edge, one, stateOf, parentOf, seen);
    const waits = refusal === undefined ? waitingOutcome(stateOf(edge.to)) : undefined;
    if (refusal === undefined) {
      seen.add(linkKey(one));
      if (one.type === "parent") parentOf.set(one.lower, one.upper);
      const to = one.holder === edge.from ? edge.to : edge.from;
      const blocked = one.type === "blocks" && one.lower === edge.from;
      push(links, one.holder, { type: one.type, to, ...(blocked && { incoming: true }), edge });
      if (waits === undefined) counts[one.type] += 1;
    }
    const keep = stateOf(edge.from) === "kept" && isLoss(edge, word, refusal);
    if (keep) push(inexact, edge.from, edge);
    outcomes.push({ kind: edge.kind, outcome: outcomeOf() });

    function outcomeOf(): Outcome {
      if (refusal !== undefined)
        return droppedOutcome(keep ? `${refusal}; ${inMetadata}` : refusal);
      if (waits !== undefined) return waits;
      if (word !== undefined && !keep) return { kind: "kept", to: `link ${one.type}` };
      if (word !== undefined) return { kind: "kept", to: `link ${one.type}, and metadata ${key}` };
      return { kind: "mapped", to: "link related", why: `svc has no such kind; ${inMetadata}` };
    }
  }
  return { links, inexact, counts, outcomes };
}

function directedEdge(edge: SourceLink, word: keyof typeof MEANINGS | undefined): Edge {
  const { type, reverse } = MEANINGS[word ?? "related"];
  const [lower, upper] = reverse ? [edge.to, edge.from] : [edge.from, edge.to];
  return { type, lower, upper, holder: type === "parent" ? lower : edge.from };
}

/** Whether the edge must be kept in the metadata, because no link represents it exactly. */
function isLoss(
  edge: SourceLink,
  word: LinkWord | undefined,
  refusal: string | undefined,
): boolean {
  if (refusal === undefined)
    return word === undefined || edge.more !== undefined || edge.inexact === true;
  const saysMore = [edge.created_at, edge.created_by, edge.more].some((one) => one !== undefined);
  return refusal !== SEEN || word === undefined || saysMore;
}

/**
 * The outcome of an edge whose other issue is not imported now; `undefined` if that issue is imported. The daemon makes
 * the link when the other issue is imported, so the parts of a file may be imported in any order.
 */
function waitingOutcome(other: EndState): Outcome | undefined {
  if (other === "kept") return undefined;
  const why =
    other === "absent" ? "the other end is not in the file" : "the other end is a tombstone";
  return { kind: "mapped", to: "a link once its other end is imported", why };
}

const SEEN = "a link of this kind joins the two already";

function refuse(
  edge: SourceLink,
  one: Edge,
  stateOf: (id: string) => EndState,
  parentOf: ReadonlyMap<string, string>,
  seen: ReadonlySet<string>,
): string | undefined {
  const state = stateOf(edge.from);
  if (state === "tombstone") return "its issue is a tombstone";
  if (state === "no work") return "its issue is no work";
  if (edge.from === edge.to) return "both ends are one issue";
  if (stateOf(edge.to) === "no work") return "the other end is no work";
  if (seen.has(linkKey(one))) return SEEN;
  if (one.type !== "parent") return undefined;
  if (stateOf(one.lower) !== "kept") return "the child is not in the file";
  if (parentOf.has(one.lower)) return "the child has a parent already";
  return isBelow(one.upper, one.lower, parentOf) ? "the parents would go in a circle" : undefined;
}

function isBelow(issue: string, ancestor: string, parentOf: ReadonlyMap<string, string>): boolean {
  for (let at = parentOf.get(issue); at !== undefined; at = parentOf.get(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

/** A key that is the same for edges that become the same link. `related` has no direction, so its ends are sorted. */
function linkKey({ type, lower, upper }: Edge): string {
  const ends = type === "related" && upper < lower ? [upper, lower] : [lower, upper];
  return JSON.stringify([type, ...ends]);
}

function droppedOutcome(why: string): Outcome {
  return { kind: "dropped", why };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
