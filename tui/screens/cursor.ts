import { stripVTControlCharacters } from "node:util";
import type { State } from "../../src/screen/state.ts";
import { CURSOR_END, CURSOR_START } from "../style.ts";
import { cells } from "../text.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The place of the terminal's cursor, for screen readers and magnifiers: in a text field, otherwise on the row in
 * focus.
 */
export function placeOfCursor(state: State, lines: readonly string[]): Place {
  const { sheet } = state;
  // These have a line with the question above the line with the keys.
  const asks = ["priority", "confirm", "conflict", "turn-conflict", "quit"];
  if (sheet !== undefined && asks.includes(sheet.sheet))
    return { x: 0, y: Math.max(0, lines.length - 2) };
  return markedPlace(lines) ?? { x: 0, y: Math.min(FIRST_ROW, lines.length - 1) };
}

/** An open issue begins below the title. */
const FIRST_ROW = 1;

/** The last mark counts, because sheets are drawn last. */
function markedPlace(lines: readonly string[]): Place | undefined {
  const y = lines.findLastIndex((line) => line.includes(CURSOR_END));
  const line = lines[y];
  if (line === undefined) return undefined;
  const start = line.lastIndexOf(CURSOR_START, line.indexOf(CURSOR_END));
  return { x: cells(stripVTControlCharacters(line.slice(0, start))), y };
}

/** Whether a text field has the focus. */
export function typesText({ sheet }: State): boolean {
  if (sheet === undefined) return false;
  if (sheet.sheet === "form") return sheet.fields[sheet.focus]?.choices === undefined;
  return "field" in sheet;
}
