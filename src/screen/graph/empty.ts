import { type Empty, keysOf, LOADING } from "../empty-text.ts";
import type { State } from "../state.ts";

export function emptyGraph(state: State): Empty | undefined {
  const { graph } = state;
  const key = keysOf(state);
  if (graph === undefined) {
    const next = `${key("board")} is the board: choose one there and press ${key("graph-screen")}`;
    return { why: "no issue is chosen", byKey: [next], next: [] };
  }
  const isRead = (graph.showChain ? graph.chain : graph.data) !== undefined;
  if (isRead) return undefined;
  // The painters show `graph.error` above this text.
  if (graph.error !== undefined) return { why: "the graph cannot be read", next: [] };
  return LOADING;
}

/** Returns the text that the graph screen shows below an issue without links. */
export function noLinks(state: State): Empty | undefined {
  const { graph } = state;
  if (graph?.data === undefined || graph.showChain) return undefined;
  if (graph.data.edges.length > 0 || graph.data.unresolved_refs.length > 0) return undefined;
  const key = keysOf(state);
  const links = `${key("set-parent")} gives it a parent, ${key("add-blocker")} what it waits for, ${key("add-related")} what it is related to`;
  const done = `${key("graph-done")} shows closed issues too`;
  return {
    why: graph.hideDone ? "it is linked to nothing that is open" : "it is linked to nothing",
    next: graph.hideDone ? [links, done] : [links],
  };
}
