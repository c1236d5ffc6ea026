import { clamp } from "../../scroll.ts";
import { openIssue } from "../detail.ts";
import { farthest, graphIssue, graphRows, loadGraph, openGraph } from "../graph.ts";
import type { GraphState } from "../slices.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import type { Doing, Doings } from "./doing.ts";

const inGraph = (change: (graph: GraphState, state: State) => GraphState, load = false): Doing => ({
  run: (state) => {
    if (state.graph === undefined) return step(state);
    const graph = change(state.graph, state);
    const next = { ...state, graph };
    return load ? loadGraph(next, graph) : step(next);
  },
});

const DEPTHS: readonly GraphState["depth"][] = [1, 2, 3, 4, 6, 8, "full"];

/** One step less, or more; less than all is what leaves something out. */
function depthBy(graph: GraphState, by: 1 | -1): GraphState["depth"] {
  if (graph.depth === "full" && by === -1) {
    const most = farthest(graph);
    return DEPTHS.findLast((depth) => depth !== "full" && depth < most) ?? 1;
  }
  const at = DEPTHS.indexOf(graph.depth);
  return DEPTHS[clamp(at + by, DEPTHS.length)] ?? "full";
}

export const GRAPH = {
  "graph-open": {
    run: (state) => openIssue(state, graphIssue(state)),
  },
  "graph-fold": inGraph((graph, state) => {
    const row = graphRows(state)[graph.cursor];
    if (row?.uid === undefined || !row.parent) return graph;
    const folded = new Set(graph.folded);
    if (!folded.delete(row.uid)) folded.add(row.uid);
    return { ...graph, folded };
  }),
  "graph-root": {
    run: (state) => {
      const { source, before = [] } = state.graph ?? {};
      const uid = graphIssue(state);
      if (source === undefined || uid === source) return step(state);
      return openGraph(state, uid, [...before, source]);
    },
  },
  "graph-less": inGraph((graph) => ({ ...graph, depth: depthBy(graph, -1) }), true),
  "graph-more": inGraph((graph) => ({ ...graph, depth: depthBy(graph, 1) }), true),
  "graph-done": inGraph((graph) => ({ ...graph, hideDone: !graph.hideDone }), true),
  "graph-transitive": inGraph((graph) => ({ ...graph, transitive: !graph.transitive, cursor: 0 })),
  "graph-chain": inGraph((graph) => ({ ...graph, showChain: !graph.showChain, cursor: 0 }), true),
} satisfies Doings;
