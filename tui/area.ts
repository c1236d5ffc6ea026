import { graphemes } from "../src/base/graphemes.ts";
import type { Field } from "../src/screen/forms/field.ts";
import type { FormSheet } from "../src/screen/forms/sheet.ts";
import type { State } from "../src/screen/state.ts";
import { cells, clean } from "./text.ts";

/** In cells: the labels of a form stand beside its fields, and a longer text is wrapped in what is left. */
export function labelWidth({ fields }: FormSheet): number {
  return Math.max(...fields.map(({ label }) => label.length)) + 2;
}

/** The cells of a longer text, which stands in a form. */
export function areaWidth({ sheet, window: { columns } }: State): number {
  return sheet?.sheet === "form" ? Math.max(4, columns - labelWidth(sheet)) : columns;
}

/** A line of a text as it is wrapped: its characters, from one place to the one before another. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** The lines of a text in so many cells, with room for the cursor after them; broken after blanks where there are any. */
export function rowsOf(all: readonly string[], width: number): readonly Row[] {
  const room = Math.max(1, width - 2);
  const rows: Row[] = [];
  const sizeOf = sizes();
  let [start, used, after] = [0, 0, 0];
  for (const [at, character] of all.entries()) {
    if (character === "\n") {
      rows.push({ start, end: at });
      [start, used, after] = [at + 1, 0, at + 1];
      continue;
    }
    const size = sizeOf(character);
    while (used + size > room && at > start) {
      const end = after > start ? after : at;
      rows.push({ start, end });
      used = all.slice(end, at).reduce((sum, one) => sum + sizeOf(one), 0);
      [start, after] = [end, end];
    }
    used += size;
    if (character === " ") after = at + 1;
  }
  return [...rows, { start, end: all.length }];
}

/** Of characters as they are drawn. A text has many, and few that are not like another. */
function sizes(): (character: string) => number {
  const known = new Map<string, number>();
  return (character) => {
    let size = known.get(character);
    if (size === undefined) known.set(character, (size = cells(clean(character))));
    return size;
  };
}

/** Which of the rows a place is in: where one ends by being broken, the next begins. */
export function rowAt(rows: readonly Row[], at: number): number {
  return rows.findLastIndex(({ start }) => start <= at);
}

/** One line up or down, in the same column where that line is long enough. */
export function vertical({ text, at }: Field, by: 1 | -1, width: number): Field {
  const all = graphemes(text);
  const rows = rowsOf(all, width);
  const row = rowAt(rows, at);
  const next = rows[row + by];
  if (next === undefined) return { text, at: by === 1 ? all.length : 0 };
  const column = at - (rows[row]?.start ?? 0);
  // The end of a broken line is where the next one begins.
  const isBroken = all[next.end] !== "\n" && next.end < all.length;
  return { text, at: Math.min(next.start + column, isBroken ? next.end - 1 : next.end) };
}
