import { stripVTControlCharacters } from "node:util";
import { counted } from "../../src/base/counted.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { treeIn } from "../../src/screen/glyphs.ts";
import { noLinks } from "../../src/screen/graph/empty.ts";
import { type GraphRow, graphRows } from "../../src/screen/graph/graph.ts";
import { letterInGraph } from "../../src/screen/graph/nodes.ts";
import type { GraphState } from "../../src/screen/graph/state.ts";
import type { State } from "../../src/screen/state.ts";
import { STATE_ROLES } from "../document/head.ts";
import type { Pane } from "../layout.ts";
import { paintSpans, type Span, type SpanLine, widthOf } from "../spans.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit, unreadLines } from "../text.ts";
import { priorityRole } from "./board.ts";
import { drawEmpty, drawError } from "./empty.ts";
import { padded, plainRow, type RowsIn, rowsAround } from "./rows.ts";

/** The links of an issue as a tree, or the longest chain of open blockers. */
export function drawGraph(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { graph } = state;
  const errors = drawError(graph?.error, paint, width);
  const empty = emptyOf(state);
  if (graph === undefined || empty !== undefined) {
    const lines = errors.length > 0 ? errors : drawEmpty(empty, paint, width);
    return padded(lines, width, height);
  }
  const rows = graphRows(state);
  const room = height - errors.length;
  const lines = rowsAround(rows, graph.cursor, room, (row, isCursor) =>
    rowLine(state, paint, width, row, isCursor),
  );
  const none = noLinks(state);
  const below = none === undefined ? [] : [fit("", width), ...drawEmpty(none, paint, width)];
  return padded([...errors, ...lines, ...below], width, height);
}

function rowLine(
  state: State,
  paint: Paint,
  width: number,
  { uid, lead, note }: GraphRow,
  isCursor: boolean,
): string {
  const mark = isCursor ? paint.glyphs.cursor : " ";
  if (uid === undefined) {
    const role = isCursor ? "cursor" : note.startsWith(" ") ? "dim" : "bold";
    return plainRow(paint, width, mark + note, role);
  }
  const tree: Span = { text: mark + treeIn(paint.glyphs, lead), role: "dim" };
  const more: SpanLine = note === "" ? [] : [{ text: `  ${note}`, role: "dim" }];
  const [name, title, ...owner] = labelOf(state, uid);
  // If there is too little room, shorten the title and not the notes after it. If even a short title does not fit,
  // leave out the owner.
  const roomBefore = (behind: SpanLine): number => width - widthOf([tree, ...name, ...behind]);
  const whole = [...owner, ...more];
  const behind = roomBefore(whole) < MIN_TITLE ? more : whole;
  const size = Math.max(MIN_TITLE, Math.min(roomBefore(behind), cells(clean(title.text))));
  const line = [tree, ...name, { ...title, size }, ...behind];
  if (!isCursor) return paintSpans(paint, width, line);
  return paint("cursor", stripVTControlCharacters(paintSpans(paint, width, line)));
}

const MIN_TITLE = 12;

type Label = readonly [name: SpanLine, title: Span, ...owner: readonly Span[]];

function labelOf(state: State, uid: string): Label {
  const node = nodeOf(state.graph, uid);
  const issue = state.issues.get(uid);
  const found = issue ?? node;
  const waited = [...(state.graph?.chain?.path ?? []), ...(state.graph?.chain?.waited_for ?? [])];
  const named = waited.find((one) => one.issue.uid === uid)?.issue;
  if (found === undefined)
    return named === undefined
      ? [[], { text: uid }]
      : [[{ text: `${nameOf(state, named)}  `, role: "ref" }], { text: named.title }];
  const { priority, owner, title } = found;
  const letter = letterInGraph(state, uid);
  const name: SpanLine = [
    { text: nameOf(state, found), role: "ref" },
    { text: "  " },
    { text: letter, role: STATE_ROLES[letter], isState: true },
    { text: priority === undefined ? "   " : ` P${priority}`, role: priorityRole(priority) },
    { text: "  " },
  ];
  return [name, { text: title }, ...(owner === undefined ? [] : [{ text: `  @${owner}` }])];
}

/**
 * Returns the name of an issue. It includes the project's name for the source issue and for issues of other projects.
 */
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

export function graphRowsIn({ graph }: State, { width, height }: Pane): RowsIn {
  const head = unreadLines(graph?.error, width).length;
  return { head, room: height - head };
}

export function graphStatus({ graph, issues }: State, paint: Paint, width: number): string {
  if (graph === undefined) return plainRow(paint, width, " graph", "dim");
  const name = (issues.get(graph.source) ?? nodeOf(graph, graph.source))?.qualified_id;
  const source = name ?? graph.source;
  if (graph.showChain) return plainRow(paint, width, ` critical path to ${source}`, "dim");
  const { data, depth, hideDone } = graph;
  const how = `  depth ${depth}  done ${hideDone ? "hidden" : "shown"}`;
  const counts = data === undefined ? "" : `   ${countsOf(data)}`;
  const texts = [` graph ${source}${how}${counts}`, ` graph ${source}${counts}`];
  return plainRow(paint, width, texts.find((text) => cells(text) <= width) ?? source, "dim");
}

function countsOf({ nodes, edges, unresolved_refs }: NonNullable<GraphState["data"]>): string {
  const unresolved = unresolved_refs.length === 0 ? [] : [`${unresolved_refs.length} unresolved`];
  const counts = [counted(nodes.length, "issue"), counted(edges.length, "link"), ...unresolved];
  return counts.join("  ");
}

export function graphHint({ graph }: State): string {
  if (graph === undefined || graph.transitive || graph.showChain) return "";
  const hidden = graph.data?.edges.filter(({ layout }) => !layout).length ?? 0;
  const isOne = hidden === 1;
  const words = `${counted(hidden, "link")} hidden that others imply: T shows ${isOne ? "it" : "them"}`;
  return hidden === 0 ? "" : words;
}
