import { graphemes } from "../../src/base/graphemes.ts";
import type { Field } from "../../src/screen/field.ts";
import type { Dialog } from "../../src/screen/forms/dialog.ts";
import type { State } from "../../src/screen/state.ts";
import { rowAt, rowsOf } from "../area.ts";
import type { Paint } from "../style.ts";
import { cells, clean, fit, head, tail } from "../text.ts";
import { ends, plainRow } from "./rows.ts";

/** Draws a dialog of one kind, in at most `height` lines. */
export type DrawDialog<Kind extends Dialog["dialog"]> = (
  state: State,
  dialog: Extract<Dialog, { readonly dialog: Kind }>,
  paint: Paint,
  width: number,
  height: number,
) => readonly string[];

export function title(paint: Paint, width: number, name: string): string {
  const { rule, cut } = paint.glyphs;
  const text = clean(name);
  return paint(
    "bold",
    fit(`${rule}${rule} ${text} ${rule.repeat(Math.max(0, width - cells(text) - 4))}`, width, cut),
  );
}

/**
 * Draws the keys of a dialog. If they do not fit, keys before the last one are left out, because the last one closes
 * the dialog.
 */
export function keysLine(paint: Paint, width: number, text: string, right = ""): string {
  const items = text.split(KEY_GAP);
  const wanted = (): string => ` ${items.join(KEY_GAP)}`;
  while (items.length > 1 && cells(wanted()) + cells(right) + 1 > width) items.splice(-2, 1);
  return paint("dim", ends(paint, width, wanted(), right));
}

/** The gap between two keys. */
export const KEY_GAP = "   ";

/** A label and a text field; a long text is cut on the left. */
export function line(paint: Paint, width: number, label: string, field: Field): string {
  const whole = clean(label);
  const name = cells(whole) > width - 8 ? fit(whole, width - 8, paint.glyphs.cut) : whole;
  const room = width - cells(name);
  return paint("bold", name) + withCursor(paint, room, field);
}

export function withCursor(paint: Paint, width: number, { text, at }: Field): string {
  const all = graphemes(text);
  const before = tail(clean(all.slice(0, at).join("")), width - 2);
  const drawn = clean(all[at] ?? "");
  // A character without a width of its own is drawn on a blank.
  const under = cells(drawn) === 0 ? ` ${drawn}` : drawn;
  const after = head(clean(all.slice(at + 1).join("")), width - cells(before) - cells(under));
  const used = cells(before) + cells(under) + cells(after);
  return `${before}${paint("cursor", under)}${after}${" ".repeat(Math.max(0, width - used))}`;
}

/** Wraps a text field and returns the lines around the cursor. */
export function textArea(
  paint: Paint,
  width: number,
  height: number,
  { text, at }: Field,
  focused: boolean,
): readonly string[] {
  const all = graphemes(text);
  const rows = rowsOf(all, width);
  const row = rowAt(rows, at);
  const top = Math.max(0, Math.min(row - height + 1, rows.length - 1));
  return Array.from({ length: height }, (_none, place) => {
    const shown = rows[top + place];
    if (shown === undefined) return fit("", width);
    const line = all.slice(shown.start, shown.end).join("");
    if (!focused || top + place !== row) return plainRow(paint, width, line);
    return withCursor(paint, width, { text: line, at: at - shown.start });
  });
}
