import { stateIn, treeIn } from "../glyphs.ts";
import type { Pane } from "../layout.ts";
import { centred } from "../scroll.ts";
import { emptyOf, unlinked } from "../state/empty.ts";
import { graphRows } from "../state/graph.ts";
import { letterOf } from "../state/relations.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { fit } from "../text.ts";
import { drawEmpty } from "./empty.ts";
import { counted, padded, plainRow } from "./rows.ts";

/** What an issue is linked to, as a tree; or the longest chain of open blockers. */
export function drawGraph(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { graph } = state;
  if (graph?.error !== undefined)
    return padded([plainRow(paint, width, graph.error, "error")], width, height);
  const empty = emptyOf(state);
  if (graph === undefined || empty !== undefined)
    return padded(empty === undefined ? [] : drawEmpty(empty, paint, width), width, height);
  const rows = graphRows(state);
  const top = centred(graph.cursor, rows.length, height);
  const lines = rows.slice(top, top + height).map(({ uid, lead, note }, at) => {
    const isCursor = top + at === graph.cursor;
    const text =
      uid === undefined
        ? note
        : `${treeIn(paint.glyphs, lead)}${labelOf(state, paint, uid)}${note === "" ? "" : `  ${note}`}`;
    return plainRow(
      paint,
      width,
      `${isCursor ? paint.glyphs.cursor : " "}${text}`,
      isCursor ? "cursor" : uid === undefined ? (note.startsWith(" ") ? "dim" : "bold") : undefined,
    );
  });
  const none = unlinked(state);
  const below = none === undefined ? [] : ["", ...drawEmpty(none, paint, width)];
  return padded(
    [...lines, ...below].map((line) => line || fit("", width)),
    width,
    height,
  );
}

function labelOf(state: State, paint: Paint, uid: string): string {
  const node = nodeOf(state.graph, uid);
  const issue = state.issues.get(uid);
  const found = issue ?? node;
  const waited = [...(state.graph?.chain?.path ?? []), ...(state.graph?.chain?.waited_for ?? [])];
  const named = waited.find((one) => one.issue.uid === uid)?.issue;
  if (found === undefined)
    return named === undefined ? uid : `${nameOf(state, named)}  ${named.title}`;
  const letter =
    issue === undefined ? (found.status === "closed" ? "x" : "o") : letterOf(state, issue);
  const priority = found.priority === undefined ? "  " : `P${found.priority}`;
  const owner = found.owner === undefined ? "" : `  @${found.owner}`;
  return `${nameOf(state, found)}  ${stateIn(paint.glyphs, letter)} ${priority}  ${found.title}${owner}`;
}

/** With its project only where that is another than the source's; the source says it for all. */
function nameOf(
  { graph, issues }: State,
  { uid, qualified_id }: { readonly uid: string; readonly qualified_id: string },
): string {
  const source = issues.get(graph?.source ?? "") ?? nodeOf(graph, graph?.source);
  const [project = ""] = source?.qualified_id.split("#") ?? [];
  const isOwn = uid !== graph?.source && qualified_id.startsWith(`${project}#`);
  return isOwn ? qualified_id.slice(project.length + 1) : qualified_id;
}

function nodeOf(graph: State["graph"], uid: string | undefined) {
  return graph?.data?.nodes.find((node) => node.uid === uid);
}

/** What graph this is, and how much of it there is. */
export function graphStatus({ graph, issues }: State, paint: Paint, width: number): string {
  if (graph === undefined) return plainRow(paint, width, " graph", "dim");
  const name = (issues.get(graph.source) ?? nodeOf(graph, graph.source))?.qualified_id;
  const source = name ?? graph.source;
  if (graph.showChain) return plainRow(paint, width, ` critical path to ${source}`, "dim");
  const { data, depth, hideDone } = graph;
  const counts =
    data === undefined
      ? ""
      : `   ${counted(data.nodes.length, "node")}  ${counted(data.edges.length, "edge")}  ${data.unresolved_refs.length} unresolved`;
  const text = ` graph ${source}  depth ${depth}  done ${hideDone ? "hidden" : "shown"}${counts}`;
  return plainRow(paint, width, text, "dim");
}

export function graphPlace(state: State): string {
  const count = graphRows(state).length;
  return count === 0 ? "" : `${(state.graph?.cursor ?? 0) + 1}/${count}`;
}

/** Links that others say too are not drawn until they are asked for. */
export function graphHint({ graph }: State): string {
  if (graph === undefined || graph.transitive || graph.showChain) return "";
  const hidden = graph.data?.edges.filter(({ layout }) => !layout).length ?? 0;
  const isOne = hidden === 1;
  const words = `${counted(hidden, "link")} hidden that others imply: T shows ${isOne ? "it" : "them"}`;
  return hidden === 0 ? "" : words;
}
