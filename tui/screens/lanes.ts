import { cardsOf, cursorRow, gridOf, laneAt } from "../../src/screen/board/lane-places.ts";
import { lanesOf, laneTitle } from "../../src/screen/board/lanes.ts";
import type { Row } from "../../src/screen/board/order.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { stateIn } from "../../src/screen/glyphs.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import type { State } from "../../src/screen/state.ts";
import { ago } from "../../src/screen/times.ts";
import { STATE_ROLES } from "../document/head.ts";
import type { Pane } from "../layout.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit, fitName } from "../text.ts";
import { markOf, priorityRole, wholeOf } from "./board.ts";
import { INDENT, lanesIn, titleLines } from "./cards.ts";
import { MARK_CELLS } from "./columns.ts";
import { drawEmpty } from "./empty.ts";
import { type Cell, cellsRow, ends, padded, plainRow } from "./rows.ts";

/** Draws one column of cards for each lane; each column scrolls on its own. */
export function drawLanes(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width: whole, height } = pane;
  const { lanes, rows } = lanesOf(state);
  if (rows.length === 0) return padded(drawEmpty(emptyOf(state), paint, whole), whole, height);
  const { first, count } = gridOf(state);
  const { width } = lanesIn(state);
  const shown = lanes.slice(first, first + count);
  const current = laneAt(state, cursorRow(state));
  const focused = state.window.focus === "list";
  const heads = shown.map((lane, at) => {
    const role = first + at === current ? (focused ? "heading" : "bold") : "dim";
    const isCut = at === count - 1 && first + count < lanes.length;
    const right = `${lane.end - lane.start}${isCut ? " >" : "  "}`;
    const room = width - cells(right) - 3;
    const name = fitName(clean(laneTitle(state, lane)), room, paint.glyphs.cut);
    return paint(role, ends(paint, width, `${at === 0 && first > 0 ? "< " : "  "}${name}`, right));
  });
  const columns = shown.map((lane) =>
    cardsOf(state, lane).flatMap(({ row }) => {
      const found = rows[row];
      return found === undefined ? [] : card(state, paint, found, width);
    }),
  );
  const rest = " ".repeat(Math.max(0, whole - count * (width + 1) + 1));
  const head = count === 1 ? namesLine(state, paint, width, current) : heads.join(" ");
  const lines = Array.from({ length: height - 1 }, (_none, at) =>
    columns.map((lane) => lane[at] ?? fit("", width)).join(" "),
  );
  return [head, ...lines].map((line) => line + rest);
}

/** Draws the names of all lanes. Lanes at the left are left out until the current lane fits. */
function namesLine(state: State, paint: Paint, width: number, current: number): string {
  const names = lanesOf(state).lanes.map((lane, at) => {
    const text = `${laneTitle(state, lane)} ${lane.end - lane.start}`;
    return at === current ? `[${text}]` : ` ${text} `;
  });
  const from = names.findIndex(
    (_name, at) => at === current || cells(names.slice(at, current + 1).join("")) < width,
  );
  return plainRow(paint, width, `${from > 0 ? "<" : ""}${names.slice(from).join("")}`, "dim");
}

/** The lines of a card: id, priority, owner and age; the title on up to two lines; labels; a blank line. */
function card(state: State, paint: Paint, { issue }: Row, width: number): readonly string[] {
  const isCursor = state.board.cursor === issue.uid;
  const whole = wholeOf(state, issue, isCursor, false);
  const line = (text: string, role?: Role): string =>
    plainRow(paint, width, `${" ".repeat(INDENT)}${text}`, whole ?? role);
  return [
    cellsRow(paint, width, headOf(state, paint, issue, width, isCursor), whole),
    ...titleLines(state.memo, issue, width).map((text) => line(text)),
    ...(issue.labels.length === 0 ? [] : [line(issue.labels.join(" "), "dim")]),
    fit("", width),
  ];
}

function headOf(
  state: State,
  { glyphs }: Paint,
  issue: Issue,
  width: number,
  isCursor: boolean,
): readonly Cell[] {
  const { short_id, qualified_id, priority, owner = "" } = issue;
  const mark = markOf(state, glyphs, issue.uid, isCursor);
  const letter = letterOf(state, issue);
  const isOwners = state.board.view === "owners";
  const level = priority === undefined ? "" : `P${priority}`;
  const when = ago(issue.updated_at, state.now);
  const id = state.scope.project === undefined ? qualified_id : short_id;
  // A long id is cut so that 14 cells remain for mark, priority, owner and age.
  const size = Math.min(cells(id), width - 14);
  return [
    { text: mark, width: MARK_CELLS, role: mark.endsWith(glyphs.failed) ? "error" : "bold" },
    { text: id, width: size, role: "ref", joined: true },
    ...(isOwners ? [{ text: stateIn(glyphs, letter), width: 1, role: STATE_ROLES[letter] }] : []),
    ...(level === "" ? [] : [{ text: level, width: 2, role: priorityRole(priority) }]),
    {
      text: isOwners ? "" : owner,
      isName: true,
      width: width - size - 8 - (isOwners ? 2 : 0) - (level === "" ? 0 : 3),
    },
    { text: when, width: 4, right: true, role: "dim" },
  ];
}
