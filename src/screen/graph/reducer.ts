import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withGraph } from "./graph.ts";

export const graphReducer: Reducer<"graph"> = {
  graph: (state, { source, graph }) =>
    step(state.graph?.source === source ? withGraph(state, graph) : state),
};
