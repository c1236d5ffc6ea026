import { onDaemonsKey } from "../daemons/daemons.ts";
import { editField, type Field, insert } from "../field.ts";
import { onConflictKey } from "../forms/conflict.ts";
import type { Dialog } from "../forms/dialog.ts";
import { onDraftsKey } from "../forms/drafts.ts";
import { onFormKey, pasteInForm, typedInForm } from "../forms/form-keys.ts";
import { onListKey } from "../forms/lists.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendAsked, sendOrAsk } from "../writes/sending.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { onPromptKey, typedPrompt } from "./prompts.ts";

/** Handles a key while a dialog is open; the dialog gets all keys. */
export function onDialogKey(state: State, dialog: Dialog, key: string): Step {
  for (const { dialogKey } of state.screens) {
    const own = dialogKey?.(state, dialog, key);
    if (own !== undefined) return own;
  }
  switch (dialog.dialog) {
    case "prompt":
      return onPromptKey(state, dialog, key);
    case "form":
      return onFormKey(state, dialog, key);
    case "menu":
      // The menu is handled by `palette/menu.ts`, which imports this file. To avoid a cycle of imports,
      // `input/reducer.ts` calls it.
      return step(state);
    case "daemons":
      return onDaemonsKey(state, dialog, key);
    case "drafts":
      return onDraftsKey(state, dialog, key);
    case "priority":
      return onPriorityKey(state, dialog, key);
    case "confirm":
      return key === "y" ? sendAsked(state, dialog) : step({ ...state, dialog: dialog.input });
    case "type":
      return onTypedKey(state, dialog, key);
    case "conflict":
      return onConflictKey(state, dialog, key);
    case "compare":
      // The screen that opened the dialog handles its keys.
      return step(state);
    case "quit":
      if (key === "y" || key === "ctrl+c") return step(state, { effect: "quit" });
      // Other keys are ignored: they may have been meant for something else.
      return step(key === "n" || key === "esc" ? { ...state, dialog: dialog.under } : state);
    case "list":
      return onListKey(state, dialog, key);
  }
}

export function pasteInDialog(state: State, dialog: Dialog, text: string): Step {
  if (dialog.dialog === "form") return pasteInForm(state, dialog, text);
  if (!("field" in dialog)) return step(state);
  const field = insert(dialog.field, text.replaceAll("\n", " "));
  return dialog.dialog === "prompt"
    ? typedPrompt(state, dialog, field)
    : typed(state, dialog, field);
}

/** Sets the whole text of an input. The browser page edits its inputs by itself and then reports the text. */
export function typedInDialog(state: State, dialog: Dialog, field: Field): Step {
  if (dialog.dialog === "form") return typedInForm(state, dialog, field);
  if (dialog.dialog === "prompt") return typedPrompt(state, dialog, field);
  return "field" in dialog ? typed(state, dialog, field) : step(state);
}

export function withoutDialog(state: State): State {
  return { ...state, dialog: undefined };
}

type WithField = Extract<Dialog, { readonly dialog: "menu" | "type" }>;

function typed(state: State, dialog: WithField, field: Field): Step {
  return step({ ...state, dialog: { ...dialog, field, ...("at" in dialog ? { at: 0 } : {}) } });
}

function onPriorityKey(
  state: State,
  dialog: Extract<Dialog, { dialog: "priority" }>,
  key: string,
): Step {
  const left = withoutDialog(state);
  if (!/^[0-4-]$/.test(key)) return step(left);
  const priority = key === "-" ? undefined : Number(key);
  const writes = dialog.uids
    .flatMap((uid) => state.issues.get(uid) ?? [])
    .map((issue): Write => ({ act: "priority", at: atOf(issue), priority }));
  return sendOrAsk(left, writes, `set the priority of ${writes.length} issues?`);
}

function onTypedKey(state: State, dialog: Extract<Dialog, { dialog: "type" }>, key: string): Step {
  if (key === "esc") return step({ ...state, dialog: dialog.input });
  if (key === "enter") {
    if (dialog.field.text.trim() !== dialog.expected)
      return hint(state, `type ${dialog.expected} to go on, or esc`);
    return sendAsked(state, dialog);
  }
  const field = editField(dialog.field, key);
  return field === undefined ? step(state) : typed(state, dialog, field);
}
