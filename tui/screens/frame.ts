import { keyFor } from "../../src/screen/keymap.ts";
import type { State } from "../../src/screen/state.ts";
import { type Layout, MIN_COLUMNS, MIN_ROWS, type Pane } from "../layout.ts";
import { boardLayout } from "../room.ts";
import type { Paint } from "../style.ts";
import { cells, fit } from "../text.ts";
import { detailStatus, drawDetail } from "./detail.ts";
import { drawDialog, quitText } from "./dialogs.ts";
import { keyLine } from "./footer.ts";
import { messageLines } from "./message.ts";
import { PAINTERS, painterOf, type ScreenPainter } from "./painters.ts";
import { padded } from "./rows.ts";
import { titleLine } from "./title.ts";

/** A dialog covers at most this part of the screen. */
const DIALOG_PART = 0.75;

/** The whole screen: `rows` lines of `columns` cells, containing only text and colours. */
export function frame(state: State, paint: Paint, painters = PAINTERS): readonly string[] {
  const { dialog } = state;
  const { columns, rows } = state.window;
  const layout = boardLayout(state);
  if (layout.list === undefined) {
    return padded([tooSmall(state)], columns, rows);
  }
  const painter = painterOf(painters, state.screen);
  const isOpen = state.detail.open.length > 0;
  const lines = [
    titleLine(state, paint, columns),
    isOpen ? detailStatus(state, paint, columns) : painter.status(state, paint, columns),
    ...content(state, paint, layout, painter),
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

function content(state: State, paint: Paint, layout: Layout, painter: ScreenPainter): Lines {
  const { list } = layout;
  if (list === undefined) return [];
  const whole: Pane = { x: 0, width: state.window.columns, height: list.height };
  if (state.detail.open.length > 0) return drawDetail(state, paint, whole);
  return painter.draw(state, paint, whole);
}

type Lines = readonly string[];
