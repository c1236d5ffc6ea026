import { keyBindingOf, runCommand } from "../commands.ts";
import { onDialogKey, pasteInDialog, typedInDialog } from "../dialogs/dialogs.ts";
import { promptOf } from "../dialogs/prompt-of.ts";
import type { Dialog } from "../forms/dialog.ts";
import { focusField, takeOption } from "../forms/form-keys.ts";
import type { Command } from "../keys.ts";
import type { MessageOf, Target } from "../message.ts";
import { hint, isFaded } from "../messages/messages.ts";
import { onMenuKey } from "../palette/menu.ts";
import type { Reducer } from "../reducer.ts";
import { type State, withSlice } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { isAction } from "./by-person.ts";
import { onChosen, onScrolled } from "./pointed.ts";
import { keyOf } from "./typed.ts";

export const inputReducer: Reducer<"key" | "paste" | "burst" | "typed" | "chosen" | "scrolled"> = {
  key: (state, { key }) =>
    isDrawn(state) ? onKey(unsaidAt(state, key), key) : unseenKey(state, key),
  paste: ifDrawn((state, { text }) => onPaste(state, text)),
  burst: ifDrawn(onBurst),
  typed: ifDrawn(onTyped),
  chosen: ifDrawn((before, message) => {
    const state = isAction(message.place) ? unsaid(before, () => commandOf(message.place)) : before;
    return state.dialog === undefined
      ? onChosen(state, message)
      : chosenInDialog(state, state.dialog, message.place);
  }),
  scrolled: ifDrawn(onScrolled),
};

function chosenInDialog(state: State, dialog: Dialog, place: Target | undefined): Step {
  if (place?.is === "button") return onKeyInDialog(state, dialog, place.key);
  if (place?.is === "option") return onOption(state, dialog, place.at);
  if (place?.is !== "field" || dialog.dialog !== "form") return step(state);
  return focusField(state, dialog, place.at);
}

/** A click on a choice selects and takes it. In a list of writes or messages it only selects. */
function onOption(state: State, dialog: Dialog, at: number): Step {
  switch (dialog.dialog) {
    case "menu":
    case "drafts":
    case "daemons":
      return onKeyInDialog(state, { ...dialog, at }, "enter");
    case "list":
      return step({ ...state, dialog: { ...dialog, at } });
    case "prompt":
      // A choice may complete only the current word. The input then stays open, as after Tab.
      return onDialogKey(
        state,
        { ...dialog, choose: at },
        promptOf(state, dialog).wordChoices === undefined ? "enter" : "tab",
      );
    case "form":
      return takeOption(state, dialog, at);
    default:
      return step(state);
  }
}

function onKeyInDialog(state: State, dialog: Dialog, key: string): Step {
  if (dialog.dialog === "menu") return onMenuKey(state, dialog, key);
  return onDialogKey(state, dialog, key);
}

/** Ignores input while the window is too small to draw anything, since nobody would see what the input did. */
function ifDrawn<Input>(next: (state: State, input: Input) => Step) {
  return (state: State, input: Input): Step => (isDrawn(state) ? next(state, input) : step(state));
}

function isDrawn(state: State): boolean {
  return state.fit.board(state) !== undefined;
}

/** While the window is too small to draw anything, only the keys that leave the screen work. */
function unseenKey(state: State, key: string): Step {
  if (state.dialog?.dialog === "quit") return onDialogKey(state, state.dialog, key);
  const row = state.preferences.keys.find(
    ({ scope, keys }) => scope === "everywhere" && keys.includes(key),
  );
  const leaves = row?.command === "quit" || row?.command === "quit-now";
  return leaves ? runCommand(state, row.command) : step(state);
}

function onTyped(state: State, { field }: MessageOf<"typed">): Step {
  const { dialog } = state;
  return dialog === undefined ? step(state) : typedInDialog(state, dialog, field);
}

function commandOf(place: Target | undefined): Command | undefined {
  return place?.is === "command" ? place.command : undefined;
}

function unsaidAt(state: State, key: string): State {
  return unsaid(state, () => keyBindingOf(state, key)?.command);
}

/**
 * Removes the notice before a key or click is handled.
 *
 * - A hint is removed.
 * - With reduced motion, any other notice that is not an error is removed.
 * - A notice that offers undo or redo stays. With reduced motion it is removed once its time has passed, unless the key
 *   or click runs the command that it offers.
 */
function unsaid(state: State, command: () => Command | undefined): State {
  const { calm } = state.preferences;
  const { notice } = state.messages;
  if (notice?.tone !== "info" || !(calm || notice.isHint === true)) return state;
  const { offers } = notice;
  const goes = offers === undefined || (calm && isFaded(state) && command() !== offers);
  return goes ? withSlice(state, "messages", { notice: undefined }) : state;
}

/**
 * How long the hint about a key without an action is shown. The time is short, because the person has just pressed the
 * key.
 */
const NO_ACTION_MS = 1000;

function onKey(state: State, key: string): Step {
  const { dialog } = state;
  if (key === "ctrl+c" && dialog?.dialog !== "quit") return runCommand(state, "quit-now");
  if (dialog !== undefined) return onKeyInDialog(state, dialog, key);
  const row = keyBindingOf(state, key);
  if (row === undefined) return hint(state, `no action on ${key} here`, { seenMs: NO_ACTION_MS });
  return runCommand(state, row.command);
}

/** A paste outside an input was probably meant for another window, so it runs no commands. */
function onPaste(state: State, text: string): Step {
  if (state.dialog !== undefined) return pasteInDialog(state, state.dialog, text);
  return hint(state, "a paste means nothing here");
}

/**
 * Types a burst (several characters that arrived at once) into the open input.
 *
 * - A tab in the burst acts as the Tab key, and a line break at its end as Enter.
 * - If no input is open, the first character may be a key that opens one.
 * - If the first character opens no input, the burst is treated as a paste.
 */
function onBurst(
  state: State,
  { text, goesOn }: Pick<MessageOf<"burst">, "text" | "goesOn">,
): Step {
  if (!takesText(state)) {
    const [first = ""] = text;
    const opened = onKey(unsaidAt(state, keyOf(first)), keyOf(first));
    if (goesOn || !takesText(opened.state)) return onPaste(state, text);
    const rest = text.slice(first.length);
    return andThen(opened, (now) => onBurst(now, { text: rest, goesOn: true }));
  }
  const isSent = text.endsWith("\n");
  const parts = (isSent ? text.slice(0, -1) : text).split("\t");
  const typed = parts.reduce(
    (now, part, at) => andThen(at === 0 ? now : pressed(now, "tab"), (next) => onPaste(next, part)),
    step(state),
  );
  return isSent ? pressed(typed, "enter") : typed;
}

function pressed(before: Step, key: string): Step {
  return andThen(before, (state) => onKey(unsaidAt(state, key), key));
}

function takesText({ dialog }: State): boolean {
  return dialog !== undefined && (dialog.dialog === "form" || "field" in dialog);
}
