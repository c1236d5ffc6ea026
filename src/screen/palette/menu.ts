import { type CommandState, commandStateOf, runCommand, scopesOf } from "../commands.ts";
import { withoutDialog } from "../dialogs/dialogs.ts";
import { editField } from "../field.ts";
import type { MenuDialog } from "../forms/dialog.ts";
import { movedInMenu } from "../forms/list-keys.ts";
import type { Key } from "../keys.ts";
import { hint } from "../messages/messages.ts";
import { allSigns, type Sign } from "../signs.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { chooseInPalette, completeInPalette, paletteRows } from "./palette.ts";

/** A row of help: a key and its command, or a sign and its meaning. */
export type MenuRow =
  | { readonly row: Key; readonly why: string | undefined }
  | { readonly row: undefined; readonly sign: Sign };

export function menuRows(state: State, text: string): readonly MenuRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const keys = keyRows(state, words);
  const here = keys.filter(({ isHere }) => isHere);
  const elsewhere = keys.filter(({ isHere }) => !isHere);
  return [...here, ...signRows(state, words), ...elsewhere];
}

/**
 * The rows for the signs that match all typed words. The words `signs` and `legend` match every sign. Without words,
 * these are the signs of the current scopes.
 */
function signRows(state: State, words: readonly string[]): readonly MenuRow[] {
  const scopes = scopesOf(state);
  return state.memo
    .last(allSigns, state.screens)
    .filter(({ on, text, label }) => {
      const all = `${text} ${label} ${on.join(" ")} signs legend`.toLowerCase();
      const isHere = on.some((scope) => scopes.includes(scope));
      return words.length === 0 ? isHere : words.every((word) => all.includes(word));
    })
    .map((sign) => ({ row: undefined, sign }));
}

function keyRows(state: State, words: readonly string[]): readonly CommandState[] {
  const [first] = words;
  const begins = ({ row: { command } }: CommandState): number =>
    first !== undefined && command.startsWith(first) ? 1 : 0;
  return commandStateOf(state)
    .filter(({ row: { command, label, keys, also = "" } }) => {
      const all = `${command} ${label} ${keys.join(" ")} ${also}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .sort((a, b) => begins(b) - begins(a));
}

export function onMenuKey(state: State, dialog: MenuDialog, key: string): Step {
  const { kind, field } = dialog;
  const isHelp = kind === "help";
  const { length } = isHelp ? menuRows(state, field.text) : paletteRows(state, field.text);
  const at = Math.min(dialog.at, Math.max(0, length - 1));
  const moved = movedInMenu(key, at, length);
  if (moved !== undefined) return step({ ...state, dialog: { ...dialog, at: moved } });
  if (key === "esc" || (isHelp && key === "?" && field.text === ""))
    return step(withoutDialog(state));
  if (key === "enter")
    return isHelp
      ? chooseInHelp(withoutDialog(state), field.text, at)
      : chooseInPalette(withoutDialog(state), field.text, at);
  if (key === "tab" && !isHelp) return step(completeInPalette(state, field.text, at));
  const edited = editField(field, key);
  if (edited === undefined) return step(state);
  return step({ ...state, dialog: { ...dialog, field: edited, at: 0 } });
}

function chooseInHelp(state: State, text: string, at: number): Step {
  const chosen = menuRows(state, text)[at];
  if (chosen === undefined) return step(state);
  if (chosen.row === undefined)
    return hint(state, `${chosen.sign.text}   ${chosen.sign.label}: a sign, not a key`);
  return chosen.why === undefined ? runCommand(state, chosen.row.command) : hint(state, chosen.why);
}
