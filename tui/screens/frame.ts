import { type Layout, MIN_COLUMNS, MIN_ROWS, type Pane } from "../layout.ts";
import { placeOf } from "../state/board.ts";
import { scopesOf, whyNot } from "../state/commands.ts";
import { isTouched } from "../state/events.ts";
import { boardLayout, isLanes } from "../state/lanes.ts";
import { SCREENS, type Screen, type State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit } from "../text.ts";
import { drawBoard } from "./board.ts";
import { drawBrowse } from "./browse.ts";
import { drawCron } from "./cron.ts";
import { detailStatus, drawDetail, linesText } from "./detail.ts";
import { drawFleet } from "./fleet.ts";
import { drawGraph } from "./graph.ts";
import { drawInbox } from "./inbox.ts";
import { drawLanes } from "./lanes.ts";
import { drawProjects } from "./projects.ts";
import { ends, padded, plainRow } from "./rows.ts";
import { drawSheet } from "./sheets.ts";
import { statusLine } from "./status.ts";

/** At most so much of the screen is covered by what is asked for. */
const SHEET_PART = 0.75;

/** The whole screen: `rows` lines of `columns` cells, with nothing in them but text and colours. */
export function frame(state: State, paint: Paint): readonly string[] {
  const { columns, rows, sheet } = state;
  const layout = boardLayout(state);
  if (layout.list === undefined) {
    const text = `terminal too small (needs ${MIN_COLUMNS}x${MIN_ROWS}), q quits`;
    return padded([fit(text, columns)], columns, rows);
  }
  const lines = [
    titleLine(state, paint, columns),
    screenStatus(state, paint, columns),
    ...content(state, paint, layout),
    messageLine(state, paint, columns),
    keyLine(state, paint, columns),
  ];
  if (sheet === undefined) return lines;
  const over = drawSheet(state, sheet, paint, columns, Math.floor(rows * SHEET_PART));
  return [...lines.slice(0, rows - over.length), ...over];
}

const NAMES: Readonly<Record<Screen, string>> = {
  board: "Board",
  inbox: "Inbox",
  graph: "Graph",
  cron: "Cron",
  projects: "Projects",
  fleet: "Fleet",
};

function titleLine(state: State, paint: Paint, width: number): string {
  const scope = state.scope.project?.name ?? "all projects";
  const asked = state.inbox.requests?.length ?? 0;
  const names = SCREENS.map((screen, at) => {
    const count = screen === "inbox" && asked > 0 ? `(${asked})` : "";
    const name = `${at + 1} ${NAMES[screen]}${count}`;
    return screen === state.screen ? `[${name}]` : ` ${name} `;
  });
  const live = { starting: "connecting", live: "live", reconnecting: "reconnecting" }[state.live];
  const left = clean(` svc  ${scope}   ${names.join("")}`);
  const right = clean(`${state.actor}@${state.daemon} ${live} `);
  return paint("inverse", ends(width, left, right));
}

/** What the screen says of itself, above what it shows. */
function screenStatus(state: State, paint: Paint, width: number): string {
  if (state.open.length > 0) return detailStatus(state, paint, width);
  return statusLine(state, paint, width);
}

function content(state: State, paint: Paint, layout: Layout): readonly string[] {
  const { list } = layout;
  if (list === undefined) return [];
  const whole: Pane = { x: 0, width: state.columns, height: list.height };
  if (state.open.length > 0) return drawDetail(state, paint, whole);
  switch (state.screen) {
    case "inbox":
      return drawInbox(state, paint, whole);
    case "cron":
      return drawCron(state, paint, whole);
    case "graph":
      return drawGraph(state, paint, whole);
    case "projects":
      return drawProjects(state, paint, whole);
    case "fleet":
      return drawFleet(state, paint, whole);
    case "board":
      return beside(list.height, [
        layout.browse === undefined ? undefined : drawBrowse(state, paint, layout.browse),
        isLanes(state) ? drawLanes(state, paint, list) : drawBoard(state, paint, list),
        layout.detail === undefined ? undefined : drawDetail(state, paint, layout.detail),
      ]);
  }
}

/** Panes side by side, with one blank column between them. */
function beside(
  height: number,
  panes: readonly (readonly string[] | undefined)[],
): readonly string[] {
  const shown = panes.filter((pane) => pane !== undefined);
  return Array.from({ length: height }, (_none, at) =>
    shown.map((pane) => pane[at] ?? "").join(" "),
  );
}

function messageLine(state: State, paint: Paint, width: number): string {
  const { notice } = state;
  const isError = notice?.tone === "error";
  const text = notice === undefined ? touchedText(state) : `${isError ? "! " : ""}${notice.text}`;
  const place = placeText(state);
  const line = ends(width, ` ${clean(text)}`, place === "" ? "" : `${place} `);
  return isError ? paint("error", line) : line;
}

/** What another hand did to the issue that is looked at. */
function touchedText(state: State): string {
  return isTouched(state) ? `! ${state.touched?.text ?? ""}` : "";
}

/** Where in what is shown the person is. */
function placeText(state: State): string {
  const { board, open, focus } = state;
  if (open.length > 0 || focus === "detail") return linesText(state);
  if (state.screen !== "board") return "";
  const { at, count } = placeOf(state);
  const marked = board.marks.size === 0 ? "" : `  ${board.marks.size} marked`;
  return count === 0 ? "" : `${at === 0 ? "~" : at}/${count}${marked}`;
}

/** The keys that do something now, most used first, as many as fit whole. */
function keyLine(state: State, paint: Paint, width: number): string {
  const scopes = scopesOf(state);
  const words = scopes.flatMap((scope) =>
    state.keys
      .filter((row) => row.scope === scope && row.word !== undefined)
      .filter(({ command }) => whyNot(state, command) === undefined)
      .map(({ word = "" }) => word),
  );
  const { word: last = "" } = state.keys.find(({ command }) => command === "help") ?? {};
  let line = "";
  for (const word of words.filter((one) => one !== last)) {
    const next = `${line} ${word} `;
    if (cells(next) + cells(last) + 2 > width) break;
    line = next;
  }
  return plainRow(paint, width, `${line} ${last}`, "dim");
}
