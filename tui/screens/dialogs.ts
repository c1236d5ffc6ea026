import { suggestions, takesOtherName } from "../../src/screen/dialogs/suggestions.ts";
import { closeNotes } from "../../src/screen/forms/close-line.ts";
import type { Dialog, PromptDialog } from "../../src/screen/forms/dialog.ts";
import { aboutAll } from "../../src/screen/forms/forms.ts";
import { unsavedWork } from "../../src/screen/forms/unsaved-work.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { clean, wrap } from "../text.ts";
import { drawComparison, drawConflict } from "./conflict.ts";
import { drawDaemons } from "./daemons.ts";
import { drawDrafts } from "./drafts.ts";
import { drawForm, suggestionRows } from "./form.ts";
import { keysLine, line } from "./input.ts";
import { drawList } from "./lists.ts";
import { drawHelp, drawPalette } from "./menu.ts";
import { plainRow } from "./rows.ts";

/** Draws a dialog in at most `height` lines, which cover the last lines of the screen. */
export function drawDialog(
  state: State,
  dialog: Dialog,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  switch (dialog.dialog) {
    case "prompt": {
      if (dialog.kind === "close") return drawCloseLine(state, dialog, paint, width, height);
      const count = Math.min(5, height - 2);
      const ask = dialog.kind === "filter" ? "   ctrl+f ask the daemon" : "";
      const isOther = dialog.choose === undefined && takesOtherName(state, dialog);
      const choose = isOther ? 0 : dialog.choose;
      const keys = isOther
        ? "enter take   ctrl+s as typed   esc cancel"
        : `enter take   up/down choose   tab complete${ask}   esc cancel`;
      return [
        ...suggestionRows(paint, width, suggestions(state, dialog), choose, count),
        line(paint, width, `${dialog.label}: `, dialog.field),
        keysLine(paint, width, keys),
      ];
    }
    case "daemons":
      return drawDaemons(state, dialog, paint, width, height);
    case "drafts":
      return drawDrafts(state, dialog, paint, width, height);
    case "priority": {
      const about = aboutAll(dialog.uids.flatMap((uid) => state.issues.get(uid) ?? []));
      const text = `priority of ${about}: 0 (highest) to 4, - for none`;
      return [
        plainRow(paint, width, text, "bold"),
        keysLine(paint, width, "0 1 2 3 4 -   esc cancel"),
      ];
    }
    case "confirm":
      return [plainRow(paint, width, dialog.text, "bold"), keysLine(paint, width, "y yes   n no")];
    case "type":
      // The text has its own line, so that a long title in it does not push out the input.
      return [
        plainRow(paint, width, dialog.text, "warn"),
        line(paint, width, `type ${dialog.expected} to go on: `, dialog.field),
        keysLine(paint, width, "enter go on   esc cancel"),
      ];
    case "quit":
      return [
        plainRow(paint, width, quitText(state), "bold"),
        keysLine(paint, width, "y quit   n stay"),
      ];
    case "menu": {
      const draw = dialog.kind === "palette" ? drawPalette : drawHelp;
      return draw(state, dialog, paint, width, height);
    }
    case "list":
      return drawList(state, dialog, paint, width, height);
    case "form":
      return drawForm(state, dialog, paint, width, height);
    case "conflict":
      return drawConflict(state, dialog, paint, width, height);
    case "compare":
      return drawComparison(state, dialog, paint, width, height);
  }
}

/** Draws the prompt for a close. What the close still needs is shown above the text. */
function drawCloseLine(
  state: State,
  dialog: PromptDialog,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  const notes = closeNotes(state, dialog)
    .flatMap((note) => wrap(clean(note), width - 1))
    .slice(0, Math.max(0, height - 2));
  const count = Math.min(5, height - 2 - notes.length);
  return [
    ...suggestionRows(paint, width, suggestions(state, dialog), dialog.choose, count),
    ...notes.map((note) => plainRow(paint, width, ` ${note}`, "warn")),
    line(paint, width, `${dialog.label}: `, dialog.field),
    keysLine(paint, width, "enter close   tab complete   ctrl+e as a form   esc cancel"),
  ];
}

export function quitText(state: State): string {
  const lost = unsavedWork(state);
  return lost.length === 0 ? "quit?" : `${lost.join(", ")} would be lost: quit?`;
}
