import type { Pane } from "../layout.ts";
import { centred } from "../scroll.ts";
import { type BrowseRow, browseRow, browseSections } from "../state/browse.ts";
import { paneOf } from "../state/panes.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { cellsRow, padded, plainRow } from "./rows.ts";

/** Views, projects, labels and owners with their counts: to see what there is, and to choose. */
export function drawBrowse(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const isFocused = paneOf(state) === "browse";
  const cursor = browseRow(state)?.key;
  const lines: string[] = [];
  let at = 0;
  for (const { title, rows, more } of browseSections(state)) {
    if (lines.length > 0) lines.push(plainRow(paint, width, ""));
    lines.push(plainRow(paint, width, title, "bold"));
    for (const row of rows) {
      if (row.key === cursor) at = lines.length;
      lines.push(browseLine(paint, width, row, isFocused && row.key === cursor));
    }
    if (more > 0) lines.push(plainRow(paint, width, ` ${more} more`, "dim"));
  }
  const room = height - 1;
  const top = isFocused ? centred(at, lines.length, room) : 0;
  const header = plainRow(paint, width, "BROWSE", isFocused ? "inverse" : "dim");
  return padded([header, ...lines.slice(top, top + room)], width, height);
}

const COUNT_WIDTH = 4;

/** A large number in thousands, rounded down. */
function short(count: number): string {
  return count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`;
}

function browseLine(paint: Paint, width: number, row: BrowseRow, isCursor: boolean): string {
  const { name, count, isOn } = row;
  const cells = [
    { text: `${isOn ? paint.glyphs.cursor : " "}${name}`, width: width - COUNT_WIDTH - 1 },
    { text: short(count), width: COUNT_WIDTH, right: true, role: "dim" as const },
  ];
  return cellsRow(paint, width, cells, isCursor ? "cursor" : isOn ? "bold" : undefined);
}
