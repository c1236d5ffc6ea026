import { stripVTControlCharacters } from "node:util";
import type { State } from "../../src/screen/state.ts";
import { CURSOR_END, CURSOR_START } from "../style.ts";
import { cells } from "../text.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Where the terminal's own cursor stands, so that screen readers and magnifiers find what the keys act on: in the text
 * that is typed, else on the row in focus.
 */
export function placeOfCursor(state: State, lines: readonly string[]): Place {
  const { sheet } = state;
  // The question stands above its keys.
  const asks = ["priority", "confirm", "conflict", "turn-conflict", "quit"];
  if (sheet !== undefined && asks.includes(sheet.sheet))
    return { x: 0, y: Math.max(0, lines.length - 2) };
  return markedPlace(lines) ?? { x: 0, y: Math.min(FIRST_ROW, lines.length - 1) };
}

/** Below the title: where the text of an open issue begins. */
const FIRST_ROW = 1;

/** What covers the screen is drawn last, so the last place counts. */
function markedPlace(lines: readonly string[]): Place | undefined {
  const y = lines.findLastIndex((line) => line.includes(CURSOR_END));
  const line = lines[y];
  if (line === undefined) return undefined;
  const start = line.lastIndexOf(CURSOR_START, line.indexOf(CURSOR_END));
  return { x: cells(stripVTControlCharacters(line.slice(0, start))), y };
}

/** A cursor is seen where text is typed. */
export function typesText({ sheet }: State): boolean {
  if (sheet === undefined) return false;
  if (sheet.sheet === "form") return sheet.fields[sheet.focus]?.choices === undefined;
  return "field" in sheet;
}
