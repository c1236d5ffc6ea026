import { age } from "../../src/base/age.ts";
import { instantToMs } from "../../src/base/clock.ts";
import type { Draft } from "../../src/screen/forms/dialog.ts";
import { draftsHere } from "../../src/screen/forms/drafts.ts";
import type { State } from "../../src/screen/state.ts";
import { type DrawDialog, keysLine, title } from "./input.ts";
import { cellsRow, rowsAround } from "./rows.ts";

/** Lists the unsent forms of earlier screens, each with its kind, its first text and its age. */
export const drawDrafts: DrawDialog<"drafts"> = (state, { at }, paint, width, height) => {
  const drafts = draftsHere(state);
  const room = Math.max(1, height - 2);
  const nowMs = instantToMs(state.now);
  const what = Math.max(12, Math.floor(width / 3));
  const rows = rowsAround(drafts, at, room, (draft, isCursor) => {
    const cells = [
      { text: isCursor ? paint.glyphs.cursor : "", width: 1 },
      { text: nameOf(state, draft), width: what },
      { text: beginningOf(draft), width: Math.max(4, width - what - 9) },
      { text: age(instantToMs(draft.at), nowMs), width: 4, right: true },
    ];
    return cellsRow(paint, width, cells, isCursor ? "inverse" : undefined);
  });
  const keys = "enter open   x drop   j/k choose   esc later";
  const [name, count] =
    drafts.length > 1
      ? ["drafts that were not sent", `${at + 1} of ${drafts.length}`]
      : ["a draft that was not sent", ""];
  return [title(paint, width, name), ...rows, keysLine(paint, width, keys, count)];
};

function nameOf({ scope }: State, { form, project }: Draft): string {
  const isNamed = scope.project !== undefined || form.kind.form !== "new";
  return isNamed ? form.title : `${form.title} in ${project.name}`;
}

function beginningOf({ form }: Draft): string {
  const typed = form.fields.find(({ value, initial }) => value.text !== initial);
  return typed?.value.text.trim().split("\n", 1)[0] ?? "";
}
