import { addTo } from "../../base/lists.ts";
import type { Effect } from "../effect.ts";
import { hint } from "../messages/messages.ts";
import { rowToKeep } from "../scroll.ts";
import { type State, toScreen } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { GraphState } from "./state.ts";

export interface GraphRow {
  readonly uid: string | undefined;
  /** The lines of the tree that lead to this row, and the words for its link. */
  readonly lead: string;
  /** The level of the row in the tree, for painters that draw no lines. */
  readonly depth: number;
  /** The words for the row's link, for painters that draw no lines. */
  readonly word: string;
  /** Text shown instead of an issue, or after it. */
  readonly note: string;
  /** Whether other rows belong below this one, drawn or folded. */
  readonly parent: boolean;
}

export function openGraph(
  state: State,
  uid: string | undefined,
  before: readonly string[] = [],
): Step {
  if (uid === undefined) return hint(state, "no issue is selected");
  return placeOf(state, uid) === undefined
    ? hint(state, "this issue is not loaded here")
    : showGraph(state, uid, before);
}

/**
 * Shows the graph of an issue. The issue need not be loaded, because the browser page's address may name it before any
 * issue is read. If this graph has been read already, it is shown until it has been read again.
 */
export function showGraph(state: State, uid: string, before: readonly string[]): Step {
  const known = state.graph;
  const graph = known?.source === uid ? known : { ...newGraph(known), source: uid, before };
  return step({ ...toScreen(state, "graph"), graph }, ...graphReads(state, graph));
}

/**
 * The issues to whose graphs the person can go back after opening the graph of `source`, the most recent at the end. If
 * `source` is one of these issues, the list ends before it.
 */
export function sourcesBefore({ screen, graph }: State, source: string): readonly string[] {
  if (screen !== "graph" || graph === undefined) return [];
  const at = graph.before.indexOf(source);
  return at === -1 ? [...graph.before, graph.source] : graph.before.slice(0, at);
}

/** A graph without data, with the options of the previous one. */
function newGraph(known: GraphState | undefined): Omit<GraphState, "source" | "before"> {
  return {
    depth: known?.depth ?? "full",
    hideDone: known?.hideDone ?? true,
    transitive: known?.transitive ?? false,
    showChain: known?.showChain ?? false,
    folded: new Set(),
    cursor: 0,
    data: undefined,
    chain: undefined,
    error: undefined,
  };
}

/** Applies the change and keeps the cursor on its issue. */
export function withGraph(state: State, change: Partial<GraphState>): State {
  const { graph } = state;
  if (graph === undefined) return state;
  const uid = graphIssue(state);
  const next = { ...state, graph: { ...graph, ...change } };
  const isSame = (row: GraphRow): boolean => uid !== undefined && row.uid === uid;
  const cursor = rowToKeep(graphRows(next), next.graph.cursor, isSame);
  return { ...next, graph: { ...next.graph, cursor } };
}

/**
 * The effects that read the graph. With `wait`, calls within that many milliseconds after the first call cause a single
 * read.
 */
export function graphReads(state: State, graph: GraphState, wait = 0): readonly Effect[] {
  const { source, depth, hideDone, showChain } = graph;
  const at = placeOf(state, source);
  return [
    { effect: "load-graph", source, at, depth, hideDone, wait },
    ...(showChain ? [{ effect: "load-chain" as const, source, at, wait }] : []),
  ];
}

/**
 * Goes back from the chain of blockers to the tree, else to the previous graph. Returns `undefined` if there is no
 * previous graph.
 */
export function backInGraph(state: State): Step | undefined {
  if (state.graph === undefined) return undefined;
  const { showChain, before } = state.graph;
  if (showChain) return step(withGraph(state, { showChain: false, cursor: 0 }));
  const at = before.findLastIndex((uid) => placeOf(state, uid) !== undefined);
  return at === -1 ? undefined : openGraph(state, before[at], before.slice(0, at));
}

/** The number of links from the source to the farthest issue. */
export function graphDepth({ data, source }: GraphState): number {
  const ends = new Map<string, string[]>();
  for (const { from_uid, to_uid } of data?.edges ?? []) {
    addTo(ends, from_uid, to_uid);
    addTo(ends, to_uid, from_uid);
  }
  const away = new Map([[source, 0]]);
  // The loop also visits the entries that it adds to the map.
  for (const [uid, links] of away)
    for (const to of ends.get(uid) ?? []) if (!away.has(to)) away.set(to, links + 1);
  return [...away.values()].at(-1) ?? 0;
}

export function touchesGraph({ graph, screen }: State, uids: readonly string[]): boolean {
  if (screen !== "graph" || graph === undefined) return false;
  const nodes = new Set(graph.data?.nodes.map(({ uid }) => uid)).add(graph.source);
  return uids.some((uid) => nodes.has(uid));
}

export function graphIssue(state: State): string | undefined {
  return graphRows(state)[state.graph?.cursor ?? 0]?.uid;
}

function placeOf(
  state: State,
  uid: string,
): { readonly project_id: number; readonly ref: string } | undefined {
  const issue = state.issues.get(uid) ?? state.graph?.data?.nodes.find((node) => node.uid === uid);
  return issue === undefined ? undefined : { project_id: issue.project_id, ref: issue.short_id };
}

/**
 * The rows of the graph screen. With `showChain` they are the longest chain of blockers, followed by the issues that
 * most others wait for. Otherwise they are a tree from the source, followed by the links to issues that do not exist.
 * Each issue gets the lowest possible level in the tree.
 */
export function graphRows({ graph, memo }: Pick<State, "graph" | "memo">): readonly GraphRow[] {
  if (graph === undefined) return [];
  const { source, data, chain, showChain, transitive, folded } = graph;
  return memo.last(compute, { source, data, chain, showChain, transitive, folded });
}

const NO_LINK = { lead: "", depth: 0, word: "", parent: false } as const;

export type TreeInput = Pick<GraphState, "source" | "data" | "transitive" | "folded">;
type Drawn = TreeInput & Pick<GraphState, "chain" | "showChain">;

function compute(graph: Drawn): readonly GraphRow[] {
  return graph.showChain ? chainRows(graph) : treeRows(graph);
}

function chainRows({ chain }: Drawn): readonly GraphRow[] {
  if (chain === undefined) return [];
  const plain = (note: string): GraphRow => ({ ...NO_LINK, uid: undefined, note });
  const waits = (waiting: number, circle: boolean | undefined): string =>
    `${waiting} waiting${circle === true ? ", in a circle" : ""}`;
  const path = chain.path.map(({ issue, waiting, circle }, at): GraphRow => {
    const lead = at === 0 ? "" : "then ";
    const word = lead.trim();
    return { ...NO_LINK, uid: issue.uid, lead, word, note: waits(waiting, circle) };
  });
  const most = chain.waited_for.map(({ issue, waiting, circle }): GraphRow => {
    return { ...NO_LINK, uid: issue.uid, note: waits(waiting, circle) };
  });
  return [
    plain(
      path.length === 0 ? "nothing blocks anything open here" : "longest chain of open blockers",
    ),
    ...path,
    ...(most.length === 0 ? [] : [plain(""), plain("most waited for"), ...most]),
  ];
}

/** A link seen from one of its ends. */
interface Edge {
  readonly link: object;
  readonly to: string;
  readonly word: string;
}

export function treeRows({ data, source, transitive, folded }: TreeInput): readonly GraphRow[] {
  if (data === undefined) return [];
  const edgesOf = new Map<string, Edge[]>();
  for (const link of data.edges) {
    const { from_uid, to_uid, kind, layout } = link;
    if (!layout && !transitive) continue;
    const [forth, back] = WORDS[kind];
    addTo(edgesOf, from_uid, { link, to: to_uid, word: forth });
    addTo(edgesOf, to_uid, { link, to: from_uid, word: back });
  }
  const nearer = nearerEnds(source, edgesOf);
  const parents = new Set(nearer.values());
  const rows: GraphRow[] = [];
  const seen = new Set<string>();
  // The loop keeps its own stack, because recursion along a long chain of links could overflow the call stack.
  const stack = [{ uid: source, guide: "", lead: "", depth: 0, word: "", isAgain: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { uid, guide, lead, depth, word, isAgain } = next;
    if (isAgain) {
      rows.push({ uid, lead, depth, word, note: "(seen above)", parent: false });
      continue;
    }
    seen.add(uid);
    // `nearer` contains the links that make up the tree. Any other link is drawn once, below whichever of its two
    // issues is drawn last.
    const isBelow = ({ link, to }: Edge): boolean =>
      nearer.has(link) ? nearer.get(link) === uid : seen.has(to);
    const isLeaf = ({ link, to }: Edge): boolean => !nearer.has(link) || !parents.has(to);
    const all = (edgesOf.get(uid) ?? []).filter(isBelow);
    const below = [...all.filter(isLeaf), ...all.filter((edge) => !isLeaf(edge))];
    const isFolded = folded.has(uid);
    const note = isFolded && below.length > 0 ? `(+${below.length})` : "";
    rows.push({ uid, lead, depth, word, note, parent: below.length > 0 });
    if (isFolded) continue;
    for (const [at, { link, to, word: arrow }] of [...below.entries()].reverse()) {
      const last = at === below.length - 1;
      stack.push({
        uid: to,
        guide: `${guide}${last ? "   " : "|  "}`,
        lead: `${guide}${last ? "\u0060" : "|"}-${arrow} `,
        depth: depth + 1,
        word: arrow.replace(/->?$/, ""),
        isAgain: !nearer.has(link),
      });
    }
  }
  const missing = data.unresolved_refs.map(({ kind, other_uid, uid, side }): GraphRow => {
    const end = data.nodes.find((node) => node.uid === uid)?.short_id ?? uid;
    const word = WORDS[kind][side === "to" ? 0 : 1];
    const note = `  ${end} -${word} ${other_uid}  (not there)`;
    return { ...NO_LINK, uid: undefined, note };
  });
  const title: GraphRow = { ...NO_LINK, uid: undefined, note: "unresolved" };
  return missing.length === 0 ? rows : [...rows, title, ...missing];
}

/**
 * Follows the links from the source outward. For each link that reaches a new issue, returns the end from which the
 * issue was reached; the new issue is drawn below that end. So each issue gets the lowest possible level in the tree.
 */
function nearerEnds(
  source: string,
  edgesOf: ReadonlyMap<string, readonly Edge[]>,
): ReadonlyMap<object, string> {
  const ends = new Map<object, string>();
  // The loop also visits the uids that it adds to the set.
  const reached = new Set([source]);
  for (const uid of reached) {
    for (const { link, to } of edgesOf.get(uid) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      ends.set(link, uid);
    }
  }
  return ends;
}

/** The words for a link, seen from its first end and from its second. */
const WORDS = {
  parent: ["parent of->", "child of->"],
  blocks: ["blocks->", "blocked by->"],
  related: ["related-", "related-"],
} as const;
