import type { Key, KeyRow } from "../keys.ts";
import { clamp } from "../scroll.ts";
import { elsewhere, runCommand, scopesOf, whyNot } from "./commands.ts";
import { editField } from "./field.ts";
import { inPalette } from "./palette.ts";
import type { Sheet } from "./sheet.ts";
import { closed } from "./sheets.ts";
import { SIGNS, type Sign } from "./signs.ts";
import type { State } from "./state.ts";
import { hint, type Step, step } from "./step.ts";

/** A line of help: a key and what it does, or a sign and what it means. */
export type MenuRow =
  | { readonly row: Key; readonly why: string | undefined }
  | { readonly row: undefined; readonly sign: Sign };

/** What help lists for the words that were typed: what can be done now first, then the signs on this screen. */
export function menuRows(state: State, text: string): readonly MenuRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const keys = keyRows(state, words);
  const here = keys.filter(({ isHere }) => isHere).map(({ row, why }) => ({ row, why }));
  const elsewhere = keys.filter(({ isHere }) => !isHere).map(({ row, why }) => ({ row, why }));
  return [...here, ...signRows(state, words), ...elsewhere];
}

/** Every sign is found by `signs` and `legend`, whatever its screen. */
function signRows(state: State, words: readonly string[]): readonly MenuRow[] {
  const scopes = scopesOf(state);
  return SIGNS.filter(({ on, text, label }) => {
    const all = `${text} ${label} ${on.join(" ")} signs legend`.toLowerCase();
    const isHere = on.some((scope) => scopes.includes(scope));
    return words.length === 0 ? isHere : words.every((word) => all.includes(word));
  }).map((sign) => ({ row: undefined, sign }));
}

function keyRows(state: State, words: readonly string[]) {
  const scopes = scopesOf(state);
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
    .map((row) => {
      const isHere = place(row) < scopes.length;
      return { row, isHere, why: isHere ? whyNot(state, row.command) : elsewhere(row) };
    })
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
    step({ ...state, sheet: { ...sheet, at: clamp(next, rows.length) } });
  if (key === "esc" || (key === "?" && sheet.field.text === "")) return step(closed(state));
  if (key === "up" || key === "ctrl+p") return to(at - 1);
  if (key === "down" || key === "ctrl+n") return to(at + 1);
  if (key === "pgup") return to(at - PAGE);
  if (key === "pgdn") return to(at + PAGE);
  if (key === "enter") {
    const chosen = rows[at];
    const left = closed(state);
    if (chosen === undefined) return step(left);
    if (chosen.row === undefined)
      return hint(left, `${chosen.sign.text}   ${chosen.sign.label}: a sign, not a key`);
    return chosen.why === undefined ? runCommand(left, chosen.row.command) : hint(left, chosen.why);
  }
  const field = editField(sheet.field, key, false);
  return field === undefined ? step(state) : step({ ...state, sheet: { ...sheet, field, at: 0 } });
}

const PAGE = 10;
