import { type BrowseRow, browseRow, browseSections } from "../../src/screen/board/browse.ts";
import { paneOf } from "../../src/screen/detail/panes.ts";
import { firstRow } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import type { Pane } from "../layout.ts";
import type { Paint } from "../style.ts";
import { type Cell, cellsRow, padded, plainRow } from "./rows.ts";

export function drawBrowse(state: State, paint: Paint, pane: Pane): readonly string[] {
  const { width, height } = pane;
  const isFocused = paneOf(state) === "browse";
  const cursor = browseRow(state)?.key;
  const all = linesOf(state);
  const top = topOf(state, all, height);
  const lines = all
    .slice(top, top + height - 1)
    .map((line) =>
      "row" in line
        ? browseLine(paint, width, line.row, isFocused && line.row.key === cursor)
        : plainRow(paint, width, line.text, line.role),
    );
  const header = plainRow(paint, width, "BROWSE", isFocused ? "heading" : "dim");
  return padded([header, ...lines], width, height);
}

type Line = { readonly row: BrowseRow } | { readonly text: string; readonly role?: "bold" | "dim" };

function linesOf(state: State): readonly Line[] {
  return browseSections(state).flatMap(({ title, rows, more }, at): readonly Line[] => [
    ...(at === 0 ? [] : [{ text: "" }]),
    { text: title, role: "bold" },
    ...rows.map((row) => ({ row })),
    ...(more > 0 ? [{ text: ` ${more} more`, role: "dim" as const }] : []),
  ]);
}

function topOf(state: State, lines: readonly Line[], height: number): number {
  if (paneOf(state) !== "browse") return 0;
  const cursor = browseRow(state)?.key;
  const at = lines.findIndex((line) => "row" in line && line.row.key === cursor);
  return firstRow(Math.max(0, at), lines.length, height - 1);
}

export function browsedAt(state: State, { height }: Pane, line: number): string | undefined {
  const lines = linesOf(state);
  const found = line < 1 ? undefined : lines[topOf(state, lines, height) + line - 1];
  return found !== undefined && "row" in found ? found.row.key : undefined;
}

const COUNT_WIDTH = 4;

function short(count: number): string {
  return count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`;
}

function browseLine(paint: Paint, width: number, row: BrowseRow, isCursor: boolean): string {
  const { name, count, isOn, isName } = row;
  const cells: Cell[] = [
    { text: isOn ? paint.glyphs.cursor : " ", width: 1 },
    { text: name, width: width - COUNT_WIDTH - 2, isName, joined: true },
    { text: short(count), width: COUNT_WIDTH, right: true, role: "dim" },
  ];
  return cellsRow(paint, width, cells, isCursor ? "cursor" : isOn ? "bold" : undefined);
}
