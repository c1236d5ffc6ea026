import { graphemes } from "../src/base/graphemes.ts";
import type { Field } from "../src/screen/field.ts";
import type { FormDialog } from "../src/screen/forms/dialog.ts";
import type { State } from "../src/screen/state.ts";
import { cells, clean } from "./text.ts";

export function labelWidth({ fields }: FormDialog): number {
  return Math.max(...fields.map(({ label }) => label.length)) + 2;
}

export function areaWidth({ dialog, window: { columns } }: State): number {
  return dialog?.dialog === "form" ? Math.max(4, columns - labelWidth(dialog)) : columns;
}

/** A wrapped line. It contains the characters from `start` up to, but not including, `end`. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** Wraps a text, after blanks if possible. Each line leaves room for the cursor after its last character. */
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

function sizes(): (character: string) => number {
  const known = new Map<string, number>();
  return (character) => {
    let size = known.get(character);
    if (size === undefined) known.set(character, (size = cells(clean(character))));
    return size;
  };
}

/** Returns the index of the row that contains a position. A position where the text wraps belongs to the next row. */
export function rowAt(rows: readonly Row[], at: number): number {
  return rows.findLastIndex(({ start }) => start <= at);
}

/** Moves the cursor one line up or down, and keeps its column if the new line is long enough. */
export function vertical({ text, at }: Field, by: 1 | -1, width: number): Field {
  const all = graphemes(text);
  const rows = rowsOf(all, width);
  const row = rowAt(rows, at);
  const next = rows[row + by];
  if (next === undefined) return { text, at: by === 1 ? all.length : 0 };
  const column = at - (rows[row]?.start ?? 0);
  // The end position of a wrapped row belongs to the next row, so the cursor stops one position earlier.
  const isBroken = all[next.end] !== "\n" && next.end < all.length;
  return { text, at: Math.min(next.start + column, isBroken ? next.end - 1 : next.end) };
}
