import { isOnlyRevision, sidesOf } from "../../src/screen/forms/conflict.ts";
import type { Side } from "../../src/screen/forms/dialog.ts";
import { trueIssue } from "../../src/screen/writes/optimism.ts";
import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";
import { type DrawDialog, KEY_GAP, keysLine, title } from "./input.ts";
import { plainRow } from "./rows.ts";

/** Draws three versions of a text: before the edit, the current one, and the draft. */
export const drawConflict: DrawDialog<"conflict"> = (state, dialog, paint, width, height) => {
  const theirs = trueIssue(state, dialog.uid);
  const name = theirs?.qualified_id ?? "the issue";
  const other =
    theirs?.status === "closed" ? "it is closed now" : "something else of it was changed";
  const lead = isOnlyRevision(state, dialog)
    ? `${other}; title and text are as you found them`
    : "what you began with, what is there now, and what you typed";
  const keys = dialog.leaving
    ? "r again discards what you typed and edits theirs   esc back to the draft"
    : "o overwrite with mine   r reload theirs   esc back to the draft";
  const head = [
    title(paint, width, `${name} was changed while you edited it`),
    plainRow(paint, width, lead, "warn"),
  ];
  const sides = sideLines(sidesOf(state, dialog), paint, width, height - head.length - 1);
  return [...head, ...sides, keysLine(paint, width, keys)];
};

/** Draws a change of somebody else beside the change that the person wants. */
export const drawComparison: DrawDialog<"compare"> = (_state, dialog, paint, width, height) => {
  const head = [title(paint, width, dialog.title), plainRow(paint, width, dialog.lead, "warn")];
  const sides = sideLines(dialog.sides, paint, width, height - head.length - 1);
  const keys = dialog.keys.map(({ key, label }) => `${key} ${label}`).join(KEY_GAP);
  return [...head, ...sides, keysLine(paint, width, keys)];
};

function sideLines(
  sides: readonly Side[],
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const room = Math.max(3, height);
  const each = Math.max(1, Math.floor(room / Math.max(1, sides.length * 3)));
  const lines = sides.flatMap(({ label, base, theirs, mine }) => [
    ...(base === undefined ? [] : side(paint, width, each, `${label}, base`, base, base)),
    ...side(paint, width, each, `${label}, theirs`, theirs, base),
    ...(mine === undefined ? [] : side(paint, width, each, `${label}, mine`, mine, base)),
  ]);
  return lines.slice(0, room);
}

const LABEL = 15;

/** Draws a text beside its label, from the first line that differs from `base`. `base` is the text before the edit. */
function side(
  paint: Paint,
  width: number,
  height: number,
  label: string,
  text: string,
  base: string | undefined,
): readonly string[] {
  const wide = width - LABEL;
  const lines = text.split("\n");
  const before = base?.split("\n") ?? lines;
  const first = text === base ? 0 : lines.findIndex((line, at) => line !== before[at]);
  const rows = wrap(lines.slice(Math.max(0, first)).join("\n"), wide).slice(0, height);
  return rows.map((line, row) => {
    const name = paint("bold", fit(row === 0 ? label : "", LABEL));
    return name + plainRow(paint, wide, line, text === base ? "dim" : undefined);
  });
}
