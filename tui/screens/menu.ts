import { keyFor } from "../../src/screen/keymap.ts";
import { type MenuRow, menuRows } from "../../src/screen/palette/menu.ts";
import { type PaletteRow, paletteRows } from "../../src/screen/palette/palette.ts";
import { firstRow } from "../../src/screen/scroll.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { cells } from "../text.ts";
import { type DrawDialog, keysLine, line, title } from "./input.ts";
import { cellsRow, padded, plainRow, rowsAround } from "./rows.ts";

export const drawPalette: DrawDialog<"menu"> = (state, { field, at }, paint, width, height) => {
  const rows = paletteRows(state, field.text);
  const room = height - 3;
  const cursor = Math.min(at, Math.max(0, rows.length - 1));
  const lines = rowsAround(rows, cursor, room, (row, isCursor) =>
    paletteLine(paint, width, row, isCursor),
  );
  const none = `  no command fits: ${keyFor(state, "help")} lists them all`;
  return [
    title(paint, width, "commands"),
    line(paint, width, ": ", field),
    ...(rows.length === 0 && room > 0 ? [plainRow(paint, width, none, "dim")] : lines),
    keysLine(paint, width, "enter run   tab complete   esc cancel", placeOf(cursor, rows.length)),
  ];
};

function paletteLine(paint: Paint, width: number, row: PaletteRow, isCursor: boolean): string {
  const { entry, choice } = row;
  const { name, keys, label, why, argument } = entry;
  const mark = { text: isCursor ? paint.glyphs.cursor : "", width: 1 };
  const whole = isCursor ? ("inverse" as const) : undefined;
  if (choice !== undefined)
    return cellsRow(paint, width, [mark, { text: `${name} ${choice}`, width: width - 2 }], whole);
  const called = argument === undefined ? name : `${name} <${argument.what}>`;
  const text = why === undefined ? label : `disabled: ${why}`;
  const role = why === undefined ? undefined : ("dim" as const);
  const columns = [
    mark,
    { text: called, width: NAME_WIDTH, role },
    { text: keys.join(" "), width: KEYS_WIDTH, role: "ref" as const },
    { text, width: Math.max(4, width - NAME_WIDTH - KEYS_WIDTH - 4), role },
  ];
  return cellsRow(paint, width, columns, whole);
}

const NAME_WIDTH = 28;
const KEYS_WIDTH = 12;
const GAP = 3;

/** Draws the help: a search field and the keys that match, in as many columns as fit without cutting a label. */
export const drawHelp: DrawDialog<"menu"> = (state, { field, at }, paint, width, height) => {
  const rows = menuRows(state, field.text);
  const most = height - 3;
  const count = columnsIn(state, width);
  const column = Math.floor((width - GAP * (count - 1)) / count);
  // A short list fills several columns, so that the menu covers less of the screen.
  const room = Math.min(most, Math.max(1, Math.ceil(rows.length / count)));
  const cursor = Math.min(at, Math.max(0, rows.length - 1));
  const page = room * count;
  const top = count === 1 ? firstRow(cursor, rows.length, room) : Math.floor(cursor / page) * page;
  const lines = Array.from({ length: Math.min(room, rows.length) }, (_none, place) =>
    Array.from({ length: count }, (_nothing, side) => {
      const index = top + side * room + place;
      const row = rows[index];
      return row === undefined
        ? " ".repeat(column)
        : helpLine(paint, column, row, index === cursor);
    }).join(" ".repeat(GAP)),
  );
  const shown = lines.map((text) => text + " ".repeat(width - count * column - GAP * (count - 1)));
  return [
    title(paint, width, "keys and signs"),
    line(paint, width, "find: ", field),
    ...padded(shown, width, Math.min(room, rows.length)),
    keysLine(paint, width, "enter run   up/down choose   esc back", placeOf(cursor, rows.length)),
  ];
};

function helpLine(paint: Paint, width: number, row: MenuRow, isCursor: boolean): string {
  const { lead, text, role } = helpTexts(paint, row);
  const columns = [
    { text: isCursor ? paint.glyphs.cursor : "", width: 1 },
    {
      text: lead,
      width: HELP_KEYS_WIDTH,
      role: row.row === undefined ? undefined : ("ref" as const),
    },
    { text, width: Math.max(4, width - HELP_KEYS_WIDTH - 3), role },
  ];
  return cellsRow(paint, width, columns, isCursor ? "inverse" : undefined);
}

function helpTexts({ glyphs }: Paint, menuRow: MenuRow) {
  if (menuRow.row === undefined) {
    const { text, glyph, label } = menuRow.sign;
    return {
      lead: `sign ${glyph === undefined ? text : glyphs[glyph]}`,
      text: label,
      role: undefined,
    };
  }
  const { row, why } = menuRow;
  const lead = row.keys.join(" ");
  if (why === undefined) return { lead, text: row.label, role: undefined };
  return { lead, text: `${row.label} - ${why}`, role: "dim" as const };
}

const HELP_KEYS_WIDTH = 18;

/** Returns the number of columns: three from 120 cells on, two from 80 on, but fewer if a label would be cut. */
function columnsIn({ preferences: { keys } }: State, width: number): number {
  const needed = Math.max(...keys.map(({ label }) => cells(label))) + HELP_KEYS_WIDTH + 3;
  const most = width >= 120 ? 3 : width >= 80 ? 2 : 1;
  const fitting = Math.floor((width + GAP) / (needed + GAP));
  return Math.max(1, Math.min(most, fitting));
}

function placeOf(at: number, count: number): string {
  return `${count === 0 ? 0 : at + 1} of ${count}`;
}
