import { suggestions } from "../../src/screen/forms/completion.ts";
import type { Sheet } from "../../src/screen/forms/dialog.ts";
import { aboutAll } from "../../src/screen/forms/forms.ts";
import { losses } from "../../src/screen/forms/unsaved-work.ts";
import type { State } from "../../src/screen/state.ts";
import type { Paint } from "../style.ts";
import { drawConflict, drawToggleConflict } from "./conflict.ts";
import { drawDaemons } from "./daemons.ts";
import { drawDrafts } from "./drafts.ts";
import { drawForm, suggestionRows } from "./form.ts";
import { keysLine, line } from "./input.ts";
import { drawList } from "./lists.ts";
import { drawMenu } from "./menu.ts";
import { plainRow } from "./rows.ts";

/** A sheet covers the last lines of the screen, at most `height`. */
export function drawSheet(
  state: State,
  sheet: Sheet,
  paint: Paint,
  width: number,
  height: number,
): readonly string[] {
  switch (sheet.sheet) {
    case "prompt": {
      const count = Math.min(5, height - 2);
      return [
        ...suggestionRows(paint, width, suggestions(sheet), sheet.choose, count),
        line(paint, width, `${sheet.label}: `, sheet.field),
        keysLine(
          paint,
          width,
          `enter take   up/down choose   tab complete${sheet.kind === "filter" ? "   ctrl+f ask the daemon" : ""}   esc cancel`,
        ),
      ];
    }
    case "daemons":
      return drawDaemons(state, sheet, paint, width, height);
    case "drafts":
      return drawDrafts(state, sheet, paint, width, height);
    case "priority":
      return [
        plainRow(
          paint,
          width,
          `priority of ${aboutUids(state, sheet.uids)}: 0 (highest) to 4, - for none`,
          "bold",
        ),
        keysLine(paint, width, "0 1 2 3 4 -   esc cancel"),
      ];
    case "confirm":
      return [plainRow(paint, width, sheet.text, "bold"), keysLine(paint, width, "y yes   n no")];
    case "type":
      // The text has its own line, because a long title may be cut.
      return [
        plainRow(paint, width, sheet.text, "warn"),
        line(paint, width, `type ${sheet.expected} to go on: `, sheet.field),
        keysLine(paint, width, "enter go on   esc cancel"),
      ];
    case "quit":
      return [
        plainRow(paint, width, quitText(state), "bold"),
        keysLine(paint, width, "y quit   n stay"),
      ];
    case "menu":
      return drawMenu(state, sheet, paint, width, height);
    case "list":
      return drawList(state, sheet, paint, width, height);
    case "form":
      return drawForm(state, sheet, paint, width, height);
    case "conflict":
      return drawConflict(state, sheet, paint, width, height);
    case "turn-conflict":
      return drawToggleConflict(sheet, paint, width, height);
  }
}

function aboutUids({ issues }: State, uids: readonly string[]): string {
  return aboutAll(uids.flatMap((uid) => issues.get(uid) ?? []));
}

/** The question before the screen is closed. */
export function quitText(state: State): string {
  const lost = losses(state);
  return lost.length === 0 ? "quit?" : `${lost.join(", ")} would be lost: quit?`;
}
