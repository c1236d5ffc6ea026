import { type Group, groupTitle, isHeading } from "../../src/screen/board/groups.ts";
import type { Row } from "../../src/screen/board/order.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { type Glyphs, stateIn } from "../../src/screen/glyphs.ts";
import { dueOf } from "../../src/screen/issues/due.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { type Letter, letterOf } from "../../src/screen/issues/relations.ts";
import { syncedMark } from "../../src/screen/issues/synced.ts";
import type { State } from "../../src/screen/state.ts";
import { timeText } from "../../src/screen/times.ts";
import { isPending } from "../../src/screen/writes/optimism.ts";
import { STATE_ROLES } from "../document/head.ts";
import type { Pane } from "../layout.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { timeHeader } from "../times.ts";
import { shownLines } from "./board-lines.ts";
import { type Columns, columnsOf, MARK_CELLS } from "./columns.ts";
import { drawEmpty } from "./empty.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

export function drawBoard(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const shown = shownLines(state, height - 1);
  const columns = columnsOf(state, width, width === state.window.columns);
  const lines =
    shown.length === 0
      ? drawEmpty(emptyOf(state), paint, width)
      : shown.map((line) =>
          isHeading(line)
            ? headingLine(state, paint, line, width)
            : boardRow(state, paint, line, columns),
        );
  const header = cellsOf(columns, {
    ...HEADER,
    created: timeHeader(state, "MADE"),
    age: timeHeader(state, "AGE"),
  });
  const role = paneOf(state) === "list" ? "heading" : "dim";
  return padded([cellsRow(paint, width, header, role), ...lines], width, height);
}

const HEADER = {
  mark: "",
  ref: "ID",
  sign: "S",
  priority: "PR",
  title: "TITLE",
  labels: "LABELS",
  owner: "OWNER",
  author: "AUTHOR",
  due: "DUE",
};

type Texts = Readonly<Record<keyof typeof HEADER | "created" | "age", string>>;
type Roles = Readonly<Partial<Record<keyof Texts, Role | undefined>>>;

function cellsOf(columns: Columns, texts: Texts, roles: Roles = {}): readonly Cell[] {
  return [
    { text: texts.mark, width: MARK_CELLS, role: roles.mark },
    { text: texts.ref, width: columns.id, role: roles.ref, joined: true },
    { text: texts.sign, width: 1, role: roles.sign },
    { text: texts.priority, width: columns.priority, role: roles.priority },
    { text: texts.title, width: columns.title, role: roles.title },
    { text: texts.labels, width: columns.labels, role: roles.labels },
    { text: texts.owner, width: columns.owner, isName: true },
    { text: texts.author, width: columns.author, isName: true },
    { text: texts.due, width: columns.due, role: roles.due },
    { text: texts.created, width: columns.created, right: true, role: roles.age },
    { text: texts.age, width: columns.age, right: true, role: roles.age },
  ];
}

/** Everything that a row depends on besides its issue. While these values stay the same, the row is not drawn again. */
interface Look extends Columns {
  readonly ref: string;
  readonly mark: string;
  readonly letter: Letter | "~";
  readonly whole: Role | undefined;
  readonly tree: string;
  /** The sign of an issue that was found by its meaning; empty for others. */
  readonly meant: string;
  readonly when: string;
  readonly made: string;
  readonly deadline: string;
  readonly deadlineRole: Role | undefined;
}

function headingLine(state: State, paint: Paint, group: Group, width: number): string {
  const { folded, unfolded } = paint.glyphs;
  const sign = group.isFolded ? folded : unfolded;
  return plainRow(
    paint,
    width,
    `${sign} ${clean(groupTitle(state, group))}  ${group.count}`,
    "bold",
  );
}

function newLines(): WeakMap<Issue, { readonly key: string; readonly line: string }> {
  return new WeakMap();
}

function boardRow(state: State, paint: Paint, row: Row, columns: Columns): string {
  const { issue, depth, context, fold } = row;
  const isCursor = state.board.cursor === issue.uid;
  const { folded, unfolded } = paint.glyphs;
  const look: Look = {
    ...columns,
    ref: state.scope.project === undefined ? issue.qualified_id : issue.short_id,
    mark: markOf(state, paint.glyphs, issue.uid, isCursor),
    letter: context ? "~" : letterOf(state, issue),
    whole: wholeOf(state, issue, isCursor, context),
    tree: `${"  ".repeat(Math.min(depth, 12))}${fold === "open" ? `${unfolded} ` : fold === "folded" ? `${folded} ` : ""}`,
    meant: row.meant === true ? paint.glyphs.meant : "",
    when: timeText(state, issue.updated_at),
    made: columns.created === 0 ? "" : timeText(state, issue.created_at),
    ...deadlineIn(state, issue, columns),
  };
  const key = Object.values(look).join("\u0000");
  const lines = paint.memo.own(newLines);
  const known = lines.get(issue);
  if (known?.key === key) return known.line;
  const line = drawRow(paint, issue, look);
  lines.set(issue, { key, line });
  return line;
}

const DUE_ROLES = { overdue: "error", today: "warn", later: undefined } as const;

function deadlineIn(
  state: State,
  issue: Issue,
  columns: Columns,
): Pick<Look, "deadline" | "deadlineRole"> {
  const due = columns.due === 0 ? undefined : dueOf(state, issue);
  if (due === undefined) return { deadline: "", deadlineRole: undefined };
  return { deadline: due.text, deadlineRole: DUE_ROLES[due.when] };
}

function drawRow(paint: Paint, issue: Issue, look: Look): string {
  const { mark, letter, whole, tree, meant } = look;
  const { child_counts: children, labels, owner, priority, author } = issue;
  const count =
    children.total === 0 ? "" : ` (${children.total - children.open}/${children.total})`;
  const synced = syncedMark(issue);
  const signs = [meant, synced === undefined ? "" : clean(synced)].filter((text) => text !== "");
  const rest = [count, ...signs.map((text) => ` ${text}`)].join("");
  const title = withRest(`${tree}${clean(issue.title)}`, rest, look.title, paint.glyphs.cut);
  const texts: Texts = {
    mark,
    ref: look.ref,
    sign: stateIn(paint.glyphs, letter),
    priority: priority === undefined ? "" : `P${priority}`,
    title,
    labels: labels.join(" "),
    owner: owner ?? "",
    author,
    due: look.deadline,
    created: look.made,
    age: look.when,
  };
  const roles: Roles = {
    mark: mark.endsWith(paint.glyphs.failed) ? "error" : "bold",
    ref: "ref",
    sign: STATE_ROLES[letter],
    priority: priorityRole(priority),
    title: priority === 0 ? "bold" : undefined,
    labels: "dim",
    due: look.deadlineRole,
    age: "dim",
  };
  return cellsRow(paint, look.width, cellsOf(look, texts, roles), whole);
}

/**
 * Puts `rest` after the title and cuts the title so that both fit into `width`. If the title would get less than
 * `MIN_TITLE` cells, it is not cut.
 */
function withRest(title: string, rest: string, width: number, cut: string): string {
  const room = width - cells(rest);
  return cells(title) <= room || room < MIN_TITLE
    ? `${title}${rest}`
    : `${fit(title, room, cut)}${rest}`;
}

const MIN_TITLE = 8;

/**
 * Returns two cells. The first shows the cursor, the second a sign if the issue is marked, or if a change to it is
 * pending or has failed.
 */
export function markOf(state: State, glyphs: Glyphs, uid: string, isCursor: boolean): string {
  return `${isCursor ? glyphs.cursor : " "}${signOf(state, glyphs, uid)}`;
}

function signOf(state: State, glyphs: Glyphs, uid: string): string {
  if (isPending(state, uid)) return glyphs.pending;
  if (state.writes.failed.has(uid)) return glyphs.failed;
  return state.marks.has(uid) ? glyphs.marked : " ";
}

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
