import { boardIssue, shownIssue } from "../chosen.ts";
import type { CommandHandler, CommandHandlers } from "../command.ts";
import { needsIssue, openIssue } from "../detail/detail.ts";
import { hint } from "../messages/messages.ts";
import { clamp } from "../scroll.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { toggleInSet } from "../toggle-in-set.ts";
import { graphDepth, graphIssue, graphReads, graphRows, openGraph, withGraph } from "./graph.ts";
import type { GraphState } from "./state.ts";

type Change = (graph: GraphState, state: State) => Partial<GraphState>;

const inGraph = (change: Change, load = false): CommandHandler => ({
  run: (state) => {
    if (state.graph === undefined) return step(state);
    const next = withGraph(state, change(state.graph, state));
    return step(next, ...(load && next.graph ? graphReads(next, next.graph) : []));
  },
});

const DEPTHS: readonly GraphState["depth"][] = [1, 2, 3, 4, 6, 8, "full"];

/**
 * Returns the next greater or smaller depth. One step below `full` is the greatest depth that leaves out at least one
 * issue.
 */
function depthBy(graph: GraphState, by: 1 | -1): GraphState["depth"] {
  if (graph.depth === "full" && by === -1) {
    const most = graphDepth(graph);
    return DEPTHS.findLast((depth) => depth !== "full" && depth < most) ?? 1;
  }
  const at = DEPTHS.indexOf(graph.depth);
  return DEPTHS[clamp(at + by, DEPTHS.length)] ?? "full";
}

export const GRAPH_COMMANDS = {
  "graph-screen": {
    // Shows the graph of the issue in view. On a screen without an issue, shows the last graph, else the graph of the
    // board's issue. On the graph screen with no issue open, does nothing: another command makes the issue under the
    // cursor the source of the graph.
    run: (state) =>
      state.screen === "graph" && state.detail.open.length === 0
        ? step(state)
        : openGraph(state, shownIssue(state) ?? state.graph?.source ?? boardIssue(state)),
    why: (state) =>
      state.graph !== undefined ||
      (shownIssue(state) === undefined && boardIssue(state) !== undefined)
        ? undefined
        : needsIssue(state),
  },
  "graph-open": {
    run: (state) => {
      const uid = graphIssue(state);
      return uid === undefined
        ? hint(state, "there is no issue on this line")
        : openIssue(state, uid);
    },
  },
  "graph-fold": inGraph((graph, state) => {
    const row = graphRows(state)[graph.cursor];
    if (row?.uid === undefined || !row.parent) return {};
    return { folded: toggleInSet(graph.folded, row.uid) };
  }),
  "graph-root": {
    run: (state) => {
      const { source, before = [] } = state.graph ?? {};
      const uid = graphIssue(state);
      if (source === undefined || uid === source) return step(state);
      return openGraph(state, uid, [...before, source]);
    },
  },
  "graph-less": { ...inGraph((graph) => ({ depth: depthBy(graph, -1) }), true), needsDaemon: true },
  "graph-more": { ...inGraph((graph) => ({ depth: depthBy(graph, 1) }), true), needsDaemon: true },
  "graph-done": {
    ...inGraph(({ hideDone }) => ({ hideDone: !hideDone }), true),
    needsDaemon: true,
  },
  "graph-transitive": inGraph(({ transitive }) => ({ transitive: !transitive })),
  "graph-chain": inGraph(({ showChain }) => ({ showChain: !showChain, cursor: 0 }), true),
} satisfies CommandHandlers;
