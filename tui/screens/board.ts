import { boardRows, topRow } from "../../src/screen/board/board.ts";
import { emptyOf } from "../../src/screen/board/empty.ts";
import type { Issue } from "../../src/screen/board/issues.ts";
import type { Row } from "../../src/screen/board/order.ts";
import { type Letter, letterOf } from "../../src/screen/board/relations.ts";
import { type Glyphs, stateIn } from "../../src/screen/glyphs.ts";
import type { State } from "../../src/screen/state.ts";
import { paneOf } from "../../src/screen/window/panes.ts";
import { isPending } from "../../src/screen/writes/optimism.ts";
import { STATE_ROLES } from "../document/head.ts";
import type { Pane } from "../layout.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { timeCells, timeHeader, timeText } from "../times.ts";
import { drawEmpty } from "./empty.ts";
import { type Cell, cellsRow, padded } from "./rows.ts";

/** The list of issues: a header, then the rows around the cursor. */
export function drawBoard(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const rows = boardRows(state);
  const top = topRow(state);
  const columns = columnsOf(state, width);
  const lines = rows
    .slice(top, top + height - 1)
    .map((row) => boardRow(state, paint, row, columns));
  const empty = rows.length === 0 ? emptyLines(state, paint, width) : lines;
  const focused = paneOf(state) === "list";
  return padded([header(state, paint, columns, focused), ...empty], width, height);
}

export function emptyLines(state: State, paint: Paint, width: number): readonly string[] {
  const empty = emptyOf(state);
  return empty === undefined ? [] : drawEmpty(empty, paint, width);
}

interface Columns {
  readonly width: number;
  /** Cells of the id; with several projects it includes the project's name. */
  readonly id: number;
  /** Whether priority and age are shown. */
  readonly priority: boolean;
  readonly labels: number;
  readonly owner: number;
  readonly title: number;
  readonly time: number;
}

/** The widths from which a column is shown, for a list alone and for a list beside other panes. */
const WHOLE = { priority: 60, owner: 80, labels: 80, wide: 100 };
const BESIDE = { priority: 50, owner: 66, labels: 72, wide: 84 };

/** The columns for a width; the title gets the remaining cells. */
function columnsOf(state: State, width: number): Columns {
  const [id, time] = [idWidth(state, width), timeCells(state)];
  const from = width === state.window.columns ? WHOLE : BESIDE;
  const priority = width >= from.priority;
  const labels = width < from.labels ? 0 : width < from.wide ? 10 : 16;
  const owner = width < from.owner ? 0 : width < from.wide ? 6 : 9;
  // There is no blank between mark and id.
  const fixed = [
    MARK_CELLS + id,
    1,
    ...(priority ? [2, time] : []),
    ...(labels > 0 ? [labels] : []),
    ...(owner > 0 ? [owner] : []),
  ];
  const title = width - fixed.reduce((sum, size) => sum + size + 1, 0);
  return { width, id, priority, labels, owner, title, time };
}

/**
 * The width of the longest id, because a cut id could not be typed. With all projects, the longest project name counts
 * too; until projects are known, the maximum.
 */
function idWidth(
  { memo, issues, projects: { scope, all: projects } }: State,
  width: number,
): number {
  // Cached, because issues change less often than they are drawn.
  const short = memo.last(longestId, { issues }) + 1;
  if (scope.project !== undefined) return Math.min(short, Math.floor(width / 4));
  const longest = Math.max(0, ...projects.map(({ name }) => cells(name)));
  const wanted = longest === 0 ? LONGEST_ID : longest + 1 + short;
  return Math.min(wanted, LONGEST_ID, Math.floor(width / 4));
}

/** The usual length. An id is longer if it would be ambiguous or consist of digits. */
const SHORT_ID = 4;
const LONGEST_ID = 16;

function longestId({ issues }: Pick<State, "issues">): number {
  let longest = SHORT_ID;
  for (const { short_id } of issues.values()) longest = Math.max(longest, short_id.length);
  return longest;
}

function header(state: State, paint: Paint, columns: Columns, focused: boolean): string {
  const names: Cell[] = [
    { text: "", width: MARK_CELLS },
    { text: "ID", width: columns.id, joined: true },
    { text: "S", width: 1 },
    ...(columns.priority ? [{ text: "PR", width: 2 }] : []),
    { text: "TITLE", width: columns.title },
    ...(columns.labels > 0 ? [{ text: "LABELS", width: columns.labels }] : []),
    ...(columns.owner > 0 ? [{ text: "OWNER", width: columns.owner }] : []),
    ...(columns.priority
      ? [{ text: timeHeader(state, "AGE"), width: columns.time, right: true }]
      : []),
  ];
  return cellsRow(paint, columns.width, names, focused ? "inverse" : "dim");
}

/** Everything that a row depends on besides its issue; rows with equal values are drawn once. */
interface Look extends Columns {
  readonly ref: string;
  readonly mark: string;
  readonly letter: Letter | "~";
  readonly whole: Role | undefined;
  readonly tree: string;
  readonly when: string;
}

/** The last drawn line of each issue. */
function newLines(): WeakMap<Issue, { readonly key: string; readonly line: string }> {
  return new WeakMap();
}

function boardRow(state: State, paint: Paint, row: Row, columns: Columns): string {
  const { issue, depth, context, fold } = row;
  const isCursor = state.board.cursor === issue.uid;
  const { folded, unfolded } = paint.glyphs;
  const look: Look = {
    ...columns,
    ref: state.projects.scope.project === undefined ? issue.qualified_id : issue.short_id,
    mark: markOf(state, paint.glyphs, issue.uid, isCursor),
    letter: context ? "~" : letterOf(state, issue),
    whole: wholeOf(state, issue, isCursor, context),
    tree: `${"  ".repeat(Math.min(depth, 12))}${fold === "open" ? `${unfolded} ` : fold === "folded" ? `${folded} ` : ""}`,
    when: timeText(state, issue.updated_at),
  };
  const key = Object.values(look).join("\u0000");
  const lines = paint.memo.own(newLines);
  const known = lines.get(issue);
  if (known?.key === key) return known.line;
  const line = drawRow(paint, issue, look);
  lines.set(issue, { key, line });
  return line;
}

function drawRow(paint: Paint, issue: Issue, look: Look): string {
  const { mark, letter, whole, tree } = look;
  const { child_counts: children, labels, owner, priority } = issue;
  const count =
    children.total === 0 ? "" : ` (${children.total - children.open}/${children.total})`;
  const title = withCount(`${tree}${clean(issue.title)}`, count, look.title, paint.glyphs.cut);
  const row: Cell[] = [
    { text: mark, width: MARK_CELLS, role: mark.endsWith(paint.glyphs.failed) ? "error" : "bold" },
    { text: look.ref, width: look.id, role: "ref", joined: true },
    { text: stateIn(paint.glyphs, letter), width: 1, role: STATE_ROLES[letter] },
    ...(look.priority
      ? [
          {
            text: priority === undefined ? "" : `P${priority}`,
            width: 2,
            role: priorityRole(priority),
          },
        ]
      : []),
    { text: title, width: look.title, role: priority === 0 ? ("bold" as const) : undefined },
    ...(look.labels > 0
      ? [{ text: labels.join(" "), width: look.labels, role: "dim" as const }]
      : []),
    ...(look.owner > 0 ? [{ text: owner ?? "", width: look.owner, isName: true as const }] : []),
    ...(look.priority
      ? [{ text: look.when, width: look.time, right: true, role: "dim" as const }]
      : []),
  ];
  return cellsRow(paint, look.width, row, whole);
}

/** The title with the number of closed and of all children; the title is cut if both do not fit. */
function withCount(title: string, count: string, width: number, cut: string): string {
  const room = width - cells(count);
  return cells(title) <= room || room < MIN_TITLE
    ? `${title}${count}`
    : `${fit(title, room, cut)}${count}`;
}

/** A cut title shows at least this much. */
const MIN_TITLE = 8;

/** Two cells: the cursor, and a sign for the issue. */
export function markOf(state: State, glyphs: Glyphs, uid: string, isCursor: boolean): string {
  return `${isCursor ? glyphs.cursor : " "}${signOf(state, glyphs, uid)}`;
}

function signOf(state: State, glyphs: Glyphs, uid: string): string {
  if (isPending(state, uid)) return glyphs.pending;
  if (state.writes.failed.has(uid)) return glyphs.failed;
  return state.board.marks.has(uid) ? glyphs.marked : " ";
}

export const MARK_CELLS = 2;

export function wholeOf(
  state: State,
  { uid }: Issue,
  isCursor: boolean,
  context: boolean,
): Role | undefined {
  if (isCursor && paneOf(state) === "list") return "cursor";
  if (isCursor || state.board.changed.has(uid)) return "bold";
  return context ? "dim" : undefined;
}

export function priorityRole(priority: number | undefined): Role | undefined {
  if (priority === 0) return "error";
  return priority === 1 ? "warn" : undefined;
}
