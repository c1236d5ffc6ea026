import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withGraph } from "./graph.ts";

export const graphReducer: ScreenReducer<"graph"> = {
  graph: (state, { source, graph }) =>
    step(state.graph?.source === source ? withGraph(state, graph) : state),
};
