import { toggleSides } from "../../src/screen/cron/toggle-job.ts";
import { isOnlyRevision, type Side, sidesOf } from "../../src/screen/forms/conflict.ts";
import { trueIssue } from "../../src/screen/writes/optimism.ts";
import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";
import { type DrawDialog, keysLine, title } from "./input.ts";
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

/**
 * Draws three versions of a job: before the person turned it on or off, the current one, and the one that the person
 * wanted.
 */
export const drawToggleConflict: DrawDialog<"toggle-conflict"> = (
  _state,
  dialog,
  paint,
  width,
  height,
) => {
  const { write, theirs } = dialog;
  const word = write.on ? "on" : "off";
  const isGone = theirs.deleted_at !== undefined;
  const isSo = !isGone && (theirs.definition["enabled"] === true) === write.on;
  const lead = isGone
    ? "it was deleted meanwhile"
    : isSo
      ? `it is ${word} already, and this is what else was changed`
      : "what it was, what it is now, and what you wanted";
  const turn = isGone || isSo ? "" : `o turn it ${word} as it is now   `;
  const head = [
    title(paint, width, `${write.at.name} was changed while you turned it ${word}`),
    plainRow(paint, width, lead, "warn"),
  ];
  const sides = sideLines(toggleSides(dialog), paint, width, height - head.length - 1);
  return [...head, ...sides, keysLine(paint, width, `${turn}r leave it as it is now   esc back`)];
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
