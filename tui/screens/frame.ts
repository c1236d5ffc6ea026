import { isLanes } from "../../src/screen/board/lanes.ts";
import { keyFor } from "../../src/screen/keymap.ts";
import type { State } from "../../src/screen/state.ts";
import { type Layout, MIN_COLUMNS, MIN_ROWS, type Pane } from "../layout.ts";
import { boardLayout, isWide, plainLayout } from "../room.ts";
import type { Paint } from "../style.ts";
import { cells, fit } from "../text.ts";
import { drawBoard } from "./board.ts";
import { drawBrowse } from "./browse.ts";
import { cronStatus, drawCron } from "./cron.ts";
import { detailStatus, drawDetail } from "./detail.ts";
import { drawDialog, quitText } from "./dialogs.ts";
import { drawFleet, fleetStatus } from "./fleet.ts";
import { keyLine } from "./footer.ts";
import { drawGraph, graphStatus } from "./graph.ts";
import { drawInbox, inboxStatus } from "./inbox.ts";
import { drawLanes } from "./lanes.ts";
import { messageLines } from "./message.ts";
import { drawProjects, projectsStatus } from "./projects.ts";
import { padded } from "./rows.ts";
import { statusLine } from "./status.ts";
import { titleLine } from "./title.ts";

/** A dialog covers at most this part of the screen. */
const DIALOG_PART = 0.75;

/** The whole screen: `rows` lines of `columns` cells, containing only text and colours. */
export function frame(state: State, paint: Paint): readonly string[] {
  const { dialog } = state;
  const { columns, rows } = state.window;
  const layout = boardLayout(state);
  if (layout.list === undefined) {
    return padded([tooSmall(state)], columns, rows);
  }
  const lines = [
    titleLine(state, paint, columns),
    screenStatus(state, paint, columns),
    ...content(state, paint, layout),
    ...messageLines(state, paint, columns),
    keyLine(state, paint, columns),
  ];
  if (dialog === undefined) return lines;
  const over = drawDialog(state, dialog, paint, columns, Math.floor(rows * DIALOG_PART));
  const said = isSaidOver(state) ? lines.slice(-2, -1) : [];
  return [...lines.slice(0, rows - over.length - said.length), ...said, ...over];
}

/** True if an error or hint is drawn above a one-line input. The dialog would otherwise cover the message line. */
function isSaidOver({ dialog, messages: { notice } }: State): boolean {
  const isLine =
    dialog?.dialog === "prompt" || dialog?.dialog === "type" || dialog?.dialog === "drafts";
  return isLine && (notice?.isHint === true || notice?.tone === "error");
}

/**
 * Says that the terminal is too small. If the quit dialog is open, asks its question instead. Uses the longest wording
 * that fits.
 */
function tooSmall(state: State): string {
  const { dialog } = state;
  const { columns } = state.window;
  const needs = `${MIN_COLUMNS}x${MIN_ROWS}`;
  const quits = `${keyFor(state, "quit")} quits`;
  const texts =
    dialog?.dialog === "quit"
      ? [`${quitText(state)} y/n`, "text or changes lost: quit? y/n", "quit? y/n", "y/n"]
      : [
          `terminal too small (needs ${needs}), ${quits}`,
          `too small: needs ${needs}, ${quits}`,
          `needs ${needs}, ${quits}`,
          `needs ${needs}`,
          needs,
        ];
  return fit(texts.find((text) => cells(text) <= columns) ?? texts.at(-1) ?? "", columns);
}

function screenStatus(state: State, paint: Paint, width: number): string {
  if (state.detail.open.length > 0) return detailStatus(state, paint, width);
  if (state.screen === "inbox") return inboxStatus(state, paint, width);
  if (state.screen === "graph") return graphStatus(state, paint, width);
  if (state.screen === "cron") return cronStatus(state, paint, width);
  if (state.screen === "fleet") return fleetStatus(state, paint, width);
  if (state.screen === "projects") return projectsStatus(state, paint, width);
  return statusLine(state, paint, width);
}

function content(state: State, paint: Paint, layout: Layout): readonly string[] {
  const { list } = layout;
  if (list === undefined) return [];
  const whole: Pane = { x: 0, width: state.window.columns, height: list.height };
  if (state.detail.open.length > 0) return drawDetail(state, paint, whole);
  switch (state.screen) {
    case "inbox":
      return drawInbox(state, paint, whole);
    case "cron":
      return drawCron(state, paint, whole);
    case "graph": {
      const { detail } = plainLayout(state);
      if (detail === undefined || !isWide(state)) return drawGraph(state, paint, whole);
      const tree = { ...whole, width: whole.width - detail.width - 1 };
      const panes = [drawGraph(state, paint, tree), drawDetail(state, paint, detail)];
      return beside(list.height, panes);
    }
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

function beside(
  height: number,
  panes: readonly (readonly string[] | undefined)[],
): readonly string[] {
  const shown = panes.filter((pane) => pane !== undefined);
  return Array.from({ length: height }, (_none, at) =>
    shown.map((pane) => pane[at] ?? "").join(" "),
  );
}
