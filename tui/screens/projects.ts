import { counted } from "../../src/base/counted.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { keyFor } from "../../src/screen/keymap.ts";
import { projectLabel } from "../../src/screen/scope/copies.ts";
import { countsOf } from "../../src/screen/scope/counts.ts";
import type { State } from "../../src/screen/state.ts";
import { type Times, timeText } from "../../src/screen/times.ts";
import type { Pane } from "../layout.ts";
import type { Paint } from "../style.ts";
import { cells } from "../text.ts";
import { timeCells } from "../times.ts";
import { drawEmpty } from "./empty.ts";
import { type Cell, cellsRow, ends, padded, plainRow, roomBeside, rowsAround } from "./rows.ts";

interface Line {
  readonly id?: number;
  readonly name: string;
  readonly open: number | string;
  readonly closed: number | string;
  readonly total: number | string;
  readonly changed: string;
}

const HEADER: Line = {
  name: "PROJECT",
  open: "OPEN",
  closed: "CLOSED",
  total: "TOTAL",
  changed: "CHANGED",
};

export function drawProjects(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const { scope } = state;
  const { projects } = scope;
  const { cursor } = state.projects;
  const empty = emptyOf(state);
  if (empty !== undefined) return padded(drawEmpty(empty, paint, width), width, height);
  const rows = [allOf(state), ...projects.map((project) => lineOf(project, state))];
  const lines = rowsAround(rows, cursor, height - 1, (row, isCursor) => {
    const mark = isCursor ? paint.glyphs.cursor : "";
    const whole = isCursor ? "cursor" : row.id === scope.project?.id ? "bold" : undefined;
    return cellsRow(paint, width, cellsOf(state, width, mark, row), whole);
  });
  const head = cellsRow(paint, width, cellsOf(state, width, "", HEADER), "dim");
  return padded([head, ...lines], width, height);
}

export function projectsStatus(state: State, paint: Paint, width: number): string {
  const { projects } = state.scope;
  if (projects.length === 0) return plainRow(paint, width, " projects", "dim");
  const { open, closed } = allOf(state);
  const parts = [counted(projects.length, "project"), `open ${open}`, `closed ${closed}`];
  const left = ` ${parts.join("  ")}`;
  const rights = [`${keyFor(state, "project-new")} makes one   oldest first `, "oldest first ", ""];
  const right = rights.find((text) => cells(left) + cells(text) + 2 <= width) ?? "";
  return paint("dim", ends(paint, width, left, right));
}

function allOf({ scope: { projects } }: State): Line {
  const { open, closed } = countsOf(projects);
  return { name: "All projects", open, closed, total: open + closed, changed: "" };
}

function lineOf(project: State["scope"]["projects"][number], how: Times): Line {
  const { open, closed, last } = project;
  const changed = last === undefined ? "" : timeText(how, last);
  return { ...project, name: projectLabel(project), total: open + closed, changed };
}

const WIDE = 56;

/**
 * A narrow screen leaves out the number of closed issues, which follows from the others, and the time of the last
 * change.
 */
function cellsOf(how: Times, width: number, mark: string, line: Line): readonly Cell[] {
  const { name, open, closed, total, changed } = line;
  const [closedWidth, time] = width < WIDE ? [0, 0] : [7, Math.max(9, timeCells(how))];
  const room = roomBeside(width, [1, 6, closedWidth, 7, time]);
  return [
    { text: mark, width: 1 },
    { text: name, width: Math.max(8, room) },
    { text: String(open), width: 6, right: true },
    { text: String(closed), width: closedWidth, right: true },
    { text: String(total), width: 7, right: true },
    { text: changed, width: time, right: true, role: "dim" },
  ];
}
