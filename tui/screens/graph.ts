import { stateIn, treeIn } from "../glyphs.ts";
import type { Pane } from "../layout.ts";
import { graphRows } from "../state/graph.ts";
import { letterOf } from "../state/relations.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { padded, plainRow } from "./rows.ts";

/** What an issue is linked to, as a tree; or the longest chain of open blockers. */
export function drawGraph(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { graph } = state;
  if (graph === undefined)
    return padded(
      [plainRow(paint, width, "choose an issue on the board and press w", "dim")],
      width,
      height,
    );
  if (graph.error !== undefined)
    return padded([plainRow(paint, width, graph.error, "error")], width, height);
  const rows = graphRows(state);
  const body = height - 1;
  const top = Math.max(0, Math.min(graph.cursor - Math.floor(body / 2), rows.length - body));
  const lines = rows.slice(top, top + body).map(({ uid, lead, note }, at) => {
    const isCursor = top + at === graph.cursor;
    const text =
      uid === undefined
        ? note
        : `${treeIn(paint.glyphs, lead)}${labelOf(state, paint, uid)}${note === "" ? "" : `  ${note}`}`;
    return plainRow(
      paint,
      width,
      `${isCursor ? paint.glyphs.cursor : " "}${text}`,
      isCursor ? "cursor" : uid === undefined ? "bold" : undefined,
    );
  });
  const shown = lines.length > 0 ? lines : [plainRow(paint, width, "loading...", "dim")];
  return padded([plainRow(paint, width, statusOf(state), "dim"), ...shown], width, height);
}

function labelOf(state: State, paint: Paint, uid: string): string {
  const node = state.graph?.data?.nodes.find((one) => one.uid === uid);
  const issue = state.issues.get(uid);
  const found = issue ?? node;
  const waited = [...(state.graph?.chain?.path ?? []), ...(state.graph?.chain?.waited_for ?? [])];
  const named = waited.find((one) => one.issue.uid === uid)?.issue;
  if (found === undefined)
    return named === undefined ? uid : `${named.qualified_id}  ${named.title}`;
  const letter =
    issue === undefined ? (found.status === "closed" ? "x" : "o") : letterOf(state, issue);
  const priority = found.priority === undefined ? "  " : `P${found.priority}`;
  const owner = found.owner === undefined ? "" : `  @${found.owner}`;
  return `${found.qualified_id}  ${stateIn(paint.glyphs, letter)} ${priority}  ${found.title}${owner}`;
}

function statusOf({ graph, issues }: State): string {
  if (graph === undefined) return "";
  const name = issues.get(graph.source)?.qualified_id ?? graph.source;
  if (graph.showChain) return `critical path to ${name}`;
  const { data } = graph;
  const counts =
    data === undefined
      ? ""
      : `   ${data.nodes.length} nodes  ${data.edges.length} edges  ${data.unresolved_refs.length} unresolved`;
  return `graph ${name}  depth ${graph.depth}  done ${graph.hideDone ? "hidden" : "shown"}${counts}`;
}
