import type { Key, KeyRow } from "../keys.ts";
import { runCommand, scopesOf, whyNot } from "./commands.ts";
import { editField } from "./field.ts";
import { inPalette } from "./palette.ts";
import { closed } from "./sheets.ts";
import type { Sheet, State } from "./state.ts";
import { hint, type Step, step } from "./step.ts";

export interface MenuRow {
  readonly row: Key;
  readonly why: string | undefined;
}

/** What help lists for the words that were typed: what can be done now first. */
export function menuRows(state: State, text: string): readonly MenuRow[] {
  const scopes = scopesOf(state);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const place = ({ scope }: KeyRow): number => {
    const at = scopes.indexOf(scope);
    return at === -1 ? scopes.length : at;
  };
  const begins = ({ command }: KeyRow): number =>
    words.length > 0 && command.startsWith(words[0] ?? "") ? 1 : 0;
  return state.keys
    .filter((row) => {
      const all = `${row.command} ${row.label} ${row.keys.join(" ")}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .map((row) => ({
      row,
      why: place(row) < scopes.length ? whyNot(state, row.command) : "not on this screen",
    }))
    .sort((a, b) => begins(b.row) - begins(a.row) || place(a.row) - place(b.row));
}

/** Keys while help or palette is open. */
export function inMenu(state: State, sheet: Extract<Sheet, { sheet: "menu" }>, key: string): Step {
  return sheet.kind === "palette" ? inPalette(state, sheet, key) : inHelp(state, sheet, key);
}

function inHelp(state: State, sheet: Extract<Sheet, { sheet: "menu" }>, key: string): Step {
  const rows = menuRows(state, sheet.field.text);
  const at = Math.min(sheet.at, Math.max(0, rows.length - 1));
  const to = (next: number): Step =>
    step({ ...state, sheet: { ...sheet, at: Math.max(0, Math.min(next, rows.length - 1)) } });
  if (key === "esc" || (key === "?" && sheet.field.text === "")) return step(closed(state));
  if (key === "up" || key === "ctrl+p") return to(at - 1);
  if (key === "down" || key === "ctrl+n") return to(at + 1);
  if (key === "pgup") return to(at - PAGE);
  if (key === "pgdn") return to(at + PAGE);
  if (key === "enter") {
    const chosen = rows[at];
    const left = closed(state);
    if (chosen === undefined) return step(left);
    return chosen.why === undefined ? runCommand(left, chosen.row.command) : hint(left, chosen.why);
  }
  const field = editField(sheet.field, key, false);
  return field === undefined ? step(state) : step({ ...state, sheet: { ...sheet, field, at: 0 } });
}

const PAGE = 10;
