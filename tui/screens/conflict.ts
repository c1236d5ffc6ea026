import { isOnlyRevision, sidesOf } from "../state/conflict.ts";
import { trueIssue } from "../state/optimism.ts";
import type { ConflictSheet } from "../state/sheet.ts";
import type { State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { cells, fit, wrap } from "../text.ts";
import { keysLine, title } from "./input.ts";
import { plainRow } from "./rows.ts";

/** What the person began with, what stands there now, and what the draft says. */
export function drawConflict(
  state: State,
  sheet: ConflictSheet,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const name = trueIssue(state, sheet.uid)?.qualified_id ?? "the issue";
  const lead = isOnlyRevision(state, sheet)
    ? "something else of it was changed; title and text are as you found them"
    : "what you began with, what is there now, and what you typed";
  const sides = sidesOf(state, sheet);
  const room = Math.max(3, height - 3);
  const each = Math.max(1, Math.floor(room / Math.max(1, sides.length * 3)));
  const lines = sides.flatMap(({ label, base, theirs, mine }) => [
    ...side(paint, width, each, `${label}, base`, base, base),
    ...side(paint, width, each, `${label}, theirs`, theirs, base),
    ...side(paint, width, each, `${label}, mine`, mine, base),
  ]);
  const foot = sheet.leaving
    ? "r again discards what you typed and edits theirs   esc back to the draft"
    : "o overwrite with mine   r reload theirs   esc back to the draft";
  return [
    title(paint, width, `${name} was changed while you edited it`),
    plainRow(paint, width, lead, "warn"),
    ...lines.slice(0, room),
    keysLine(paint, width, foot),
  ];
}

const LABEL = 15;

/** The lines of a text around the first in which it differs from where it began. */
function side(
  paint: Paint,
  width: number,
  height: number,
  label: string,
  text: string,
  base: string,
): readonly string[] {
  const wide = Math.max(8, width - LABEL);
  const lines = text.split("\n");
  const before = base.split("\n");
  const first = text === base ? 0 : lines.findIndex((line, at) => line !== before[at]);
  const shown = wrap(lines.slice(Math.max(0, first)).join("\n"), wide).slice(0, height);
  const rows = shown.length === 0 ? [""] : shown;
  return rows.map((line, row) => {
    const name = fit(row === 0 ? label : "", LABEL);
    const body = plainRow(paint, wide, line, text === base ? "dim" : undefined);
    return fit("", Math.max(0, width - cells(name) - wide)) + paint("bold", name) + body;
  });
}
