import { letterFor } from "../detail/peers.ts";
import { type Letter, letterOf } from "../issues/relations.ts";
import type { State } from "../state.ts";
import type { GraphState } from "./state.ts";

type NodesState = Pick<State, "memo" | "issues" | "now" | "preferences" | "graph">;

/**
 * The data of an issue in the graph; `undefined` if the issue is neither loaded nor in the graph. If the issue is not
 * loaded for the board, the data comes from the graph.
 */
export function issueInGraph({ memo, issues, graph }: NodesState, uid: string) {
  const listed = issues.get(uid) ?? memo.last(nodesIn, { data: graph?.data }).get(uid);
  if (listed !== undefined) return listed;
  const chain = [...(graph?.chain?.path ?? []), ...(graph?.chain?.waited_for ?? [])];
  return chain.find(({ issue }) => issue.uid === uid)?.issue;
}

function nodesIn({ data }: Pick<GraphState, "data">) {
  return new Map(data?.nodes.map((node) => [node.uid, node]));
}

/**
 * The letter for the state of an issue in the graph. An issue that is not loaded for the board counts as blocked if an
 * open issue in the graph blocks it.
 */
export function letterInGraph(state: NodesState, uid: string): Letter {
  const issue = state.issues.get(uid);
  if (issue !== undefined) return letterOf(state, issue);
  const isClosed = issueInGraph(state, uid)?.status === "closed";
  const blocked = state.memo.last(blockedIn, { data: state.graph?.data });
  return letterFor(isClosed ? "closed" : "open", blocked.has(uid));
}

function blockedIn({ data }: Pick<GraphState, "data">): ReadonlySet<string> {
  const open = new Set(data?.nodes.filter(({ status }) => status === "open").map(({ uid }) => uid));
  const blocks = (data?.edges ?? []).filter(
    ({ kind, from_uid }) => kind === "blocks" && open.has(from_uid),
  );
  return new Set(blocks.map(({ to_uid }) => to_uid));
}
