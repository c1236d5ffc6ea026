import { stripVTControlCharacters } from "node:util";
import type { State } from "../../src/screen/state.ts";
import { CURSOR_END, CURSOR_START } from "../style.ts";
import { cells } from "../text.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the position of the terminal's cursor, which screen readers and magnifiers follow. It is in a text field if
 * one has the focus, otherwise on the row in focus.
 */
export function placeOfCursor(state: State, lines: readonly string[]): Place {
  const { dialog } = state;
  // These dialogs end with a line for the question and a line for the keys. The cursor is on the question.
  const asks = ["priority", "confirm", "conflict", "compare", "quit"];
  if (dialog !== undefined && asks.includes(dialog.dialog))
    return { x: 0, y: Math.max(0, lines.length - 2) };
  return markedPlace(lines) ?? { x: 0, y: Math.min(FIRST_ROW, lines.length - 1) };
}

/** The line of the cursor if no row is marked. An open issue begins on this line, below the title. */
const FIRST_ROW = 1;

/** Returns the position of the cursor mark in the lines. The last mark counts, because dialogs are drawn last. */
function markedPlace(lines: readonly string[]): Place | undefined {
  const y = lines.findLastIndex((line) => line.includes(CURSOR_END));
  const line = lines[y];
  if (line === undefined) return undefined;
  const start = line.lastIndexOf(CURSOR_START, line.indexOf(CURSOR_END));
  return { x: cells(stripVTControlCharacters(line.slice(0, start))), y };
}

export function typesText({ dialog }: State): boolean {
  if (dialog === undefined) return false;
  if (dialog.dialog === "form") return dialog.fields[dialog.focus]?.choices === undefined;
  return "field" in dialog;
}
