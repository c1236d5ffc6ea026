import { commandStateOf, runCommand } from "../commands.ts";
import { onDialogKey, withoutDialog } from "../dialogs/dialogs.ts";
import { typedPrompt } from "../dialogs/prompts.ts";
import { suggestions } from "../dialogs/suggestions.ts";
import { fieldOf } from "../field.ts";
import type { Command } from "../keys.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Argument, Entry } from "./entry.ts";
import { OWN_ENTRIES } from "./own-entries.ts";

/**
 * Each command once, from the nearest scope, and the palette's own entries. The result is remembered while the person
 * only types text.
 */
export function entriesOf(state: State): readonly Entry[] {
  return state.memo.last(makeEntries, behindDialog(state));
}

/** The state without the parts that change with each letter that is typed into a dialog. */
function behindDialog(state: State): State {
  return { ...withoutDialog(state), now: minuteOf(state.now) };
}

function makeEntries(state: State): readonly Entry[] {
  const commands = commandStateOf(state).map(
    ({ row: { command, name = command, keys, label, also, asks }, isHere, why }): Entry => ({
      name,
      keys,
      label,
      also,
      why,
      argument: isHere && asks !== undefined ? asking(command, asks) : undefined,
      run: (now) => runCommand(now, command),
    }),
  );
  const own = [...state.screens.flatMap(({ entries = [] }) => entries), ...OWN_ENTRIES];
  const names = new Set<string>();
  // A command and an entry of the palette's own may have the same name, so both are kept. Without an argument the name
  // means the command (`open` opens the issue under the cursor). With an argument it means the entry (`open abc4`).
  return [...commands, ...own].filter(({ name, argument, why }) => {
    const isMore = argument !== undefined && own.some((one) => one.argument === argument);
    const key = isMore ? `${name} ...` : name;
    if (names.has(key) || (why !== undefined && names.has(name))) return false;
    names.add(key);
    return true;
  });
}

function asking(command: Command, what: string): Argument {
  return {
    what,
    choices: (state, text) => {
      const dialog = askedBy(state, command);
      return dialog?.dialog === "prompt"
        ? suggestions(state, { ...dialog, field: fieldOf(text) })
        : [];
    },
    run: (state, text) => answered(runCommand(withoutDialog(state), command), text),
  };
}

/** The dialog that the command would open. The result is remembered while the person only types text. */
function askedBy(state: State, command: Command): State["dialog"] {
  return state.memo.last(dialogOpenedBy, { ...behindDialog(state), command });
}

function dialogOpenedBy({
  command,
  ...state
}: State & { readonly command: Command }): State["dialog"] {
  return runCommand(state, command).state.dialog;
}

/**
 * Types the text into the dialog of the command and confirms it. A dialog that waits for one key receives the text as
 * that key.
 */
function answered(asked: Step, text: string): Step {
  const { dialog } = asked.state;
  if (dialog?.dialog === "prompt") {
    const { state } = typedPrompt(asked.state, dialog, fieldOf(text));
    return state.dialog === undefined ? asked : onDialogKey(state, state.dialog, "enter");
  }
  if (dialog !== undefined && dialog.dialog !== "menu")
    return onDialogKey(asked.state, dialog, text);
  return asked;
}
