import { firstRow } from "../../src/screen/scroll.ts";
import type { Paint, Role } from "../style.ts";
import { cells, clean, fit, fitName, fitRight } from "../text.ts";

export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly role?: Role | undefined;
  readonly right?: boolean;
  /** True if the text is a name. A name that is too long is cut so that its distinctive part stays (`fitName`). */
  readonly isName?: boolean | undefined;
  /** Whether there is no blank before this cell. */
  readonly joined?: boolean;
}

/**
 * Draws a row of cells with blanks between them, exactly `width` cells wide. If `whole` is set, it styles the whole
 * row, and the roles of the cells are ignored.
 */
export function cellsRow(
  paint: Paint,
  width: number,
  columns: readonly Cell[],
  whole?: Role,
): string {
  let left = width;
  const texts = columns.map(({ text, width: wanted, right, role, isName, joined }, at) => {
    const blank = at === 0 || joined === true ? 0 : 1;
    const size = Math.min(wanted, left - blank);
    if (size <= 0) return "";
    left -= blank + size;
    const fitting = right === true ? fitRight : isName === true ? fitName : fit;
    const fitted = fitting(clean(text), size, paint.glyphs.cut);
    const gap = " ".repeat(blank);
    const isPainted = whole === undefined && role !== undefined && fitted.trim() !== "";
    return `${gap}${isPainted ? paint(role, fitted) : fitted}`;
  });
  const line = texts.join("") + " ".repeat(left);
  return whole === undefined ? line : paint(whole, line);
}

/** Where the rows of a pane are: below the first `head` lines, on the next `room` lines. */
export interface RowsIn {
  readonly head: number;
  readonly room: number;
}

/** Draws as many rows as there is room for, with the row at index `at` among them. */
export function rowsAround<Row>(
  rows: readonly Row[],
  at: number,
  room: number,
  draw: (row: Row, isCursor: boolean) => string,
): readonly string[] {
  const top = firstRow(at, rows.length, room);
  return rows.slice(top, top + room).map((row, place) => draw(row, top + place === at));
}

/**
 * The width that is left beside columns of these widths, each with one blank. A column of width 0 is not shown and
 * takes no blank.
 */
export function roomBeside(width: number, columns: readonly number[]): number {
  return columns.reduce((left, size) => left - (size > 0 ? size + 1 : 0), width);
}

/**
 * Returns the index of the text that covers column `x`; -1 if no text covers this column. The texts are side by side
 * from column `start` on, with `gap` blanks between them.
 */
export function textAt(texts: readonly string[], x: number, start: number, gap: number): number {
  let next = start;
  return texts.findIndex((text) => {
    const from = next;
    next += cells(text) + gap;
    return x >= from && x < from + cells(text);
  });
}

export function capitalized(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

export function plainRow(paint: Paint, width: number, text: string, role?: Role): string {
  const fitted = fit(clean(text), width, paint.glyphs.cut);
  return role === undefined ? fitted : paint(role, fitted);
}

/** A line with one text at its left end and one at its right end; the left text is cut if needed. */
export function ends({ glyphs }: Paint, width: number, left: string, right: string): string {
  const { cut } = glyphs;
  const rest = width - cells(right);
  return rest < 2 ? fit(left, width, cut) : `${fit(left, rest - 1, cut)} ${right}`;
}

export function padded(lines: readonly string[], width: number, height: number): readonly string[] {
  const blank = " ".repeat(width);
  return Array.from({ length: height }, (_none, at) => lines[at] ?? blank);
}
