import { editField, type Field, fieldOf, insert } from "../field.ts";
import { refOfAddress } from "../issues/issue-address.ts";
import { hint, say } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import {
  completedField,
  fieldSuggestions,
  findRef,
  nextChoice,
  takesSuggestion,
} from "./completion.ts";
import type { FormDialog } from "./dialog.ts";
import { formRecordOf, projectOfForm } from "./form-record.ts";
import { changedField, isDraft } from "./forms.ts";
import { saveForm } from "./saving.ts";
import { findWord, isForWord, typedWord, withChoice, wordChoices } from "./text-completion.ts";

export function onFormKey(state: State, dialog: FormDialog, key: string): Step {
  const own = formRecordOf(state, dialog).key?.(state, dialog, key);
  if (own !== undefined) return own;
  // A form in flight can be closed; its result is reported later.
  if (dialog.saving) return step(key === "esc" ? { ...state, dialog: undefined } : state);
  const calm: FormDialog = { ...dialog, leaving: false };
  const field = dialog.fields[dialog.focus];
  if (isForWord(dialog, key)) return onWordKey(state, calm, key);
  switch (key) {
    case "esc":
      return leaveForm(state, dialog);
    case "ctrl+s":
    case "ctrl+o":
      return saveForm(state, { ...calm, word: undefined });
    case "shift+tab":
      return focusBy(state, calm, -1);
    case "tab":
      return takesSuggestion(state, calm, "tab")
        ? takeSuggestion(state, calm)
        : focusBy(state, calm, 1);
    case "ctrl+e":
      return openEditor(state, calm);
  }
  if (field === undefined) return step(state);
  if (field.locked === true && key !== "enter") return unlock(state, calm, key);
  if (key === "ctrl+r") return step(withField(state, calm, fieldOf(field.initial)));
  if (field.choices !== undefined) return onChoicesKey(state, calm, field.choices, key);
  if (field.lines > 1)
    return edited(
      state,
      calm,
      editField(field.value, key, (value, by) => state.fit.vertical(state, value, by)),
    );
  if (key === "enter")
    return takesSuggestion(state, calm, "enter")
      ? takeSuggestion(state, calm)
      : focusBy(state, calm, 1);
  if (key === "up" || key === "down") {
    const count = fieldSuggestions(state, calm, true).length;
    const choose = nextChoice(calm.choose, key === "down" ? 1 : -1, count);
    return step({ ...state, dialog: { ...calm, choose } });
  }
  // In a field of one line ctrl+u deletes all text, in a field of several lines only the text before the cursor.
  if (key === "ctrl+u") return edited(state, calm, fieldOf(""));
  return edited(state, calm, editField(field.value, key));
}

/**
 * Opens the field in focus in the person's text editor. If this field has only one line and the form has a field of
 * several lines, opens the field of several lines instead.
 */
function openEditor(state: State, dialog: FormDialog): Step {
  const isLong = dialog.fields[dialog.focus]?.lines !== 1;
  const long = isLong ? -1 : dialog.fields.findIndex(({ lines }) => lines > 1);
  const focus = long === -1 ? dialog.focus : long;
  const field = dialog.fields[focus];
  if (field === undefined || field.choices !== undefined || field.locked === true)
    return step(state);
  const next = { ...dialog, focus, choose: focus === dialog.focus ? dialog.choose : undefined };
  return step({ ...state, dialog: next }, { effect: "edit-text", text: field.value.text });
}

function focusBy(state: State, dialog: FormDialog, by: 1 | -1): Step {
  const count = dialog.fields.length;
  const focus = (dialog.focus + by + count) % count;
  return step({ ...state, dialog: { ...dialog, choose: undefined, word: undefined, focus } });
}

export function focusField(state: State, dialog: FormDialog, focus: number): Step {
  if (dialog.saving || dialog.fields[focus] === undefined) return step(state);
  const calm = { choose: undefined, word: undefined, leaving: false };
  return step({ ...state, dialog: { ...dialog, ...calm, focus } });
}

/** Handles a key in the list of what the word before the cursor may mean. */
function onWordKey(state: State, dialog: FormDialog, key: string): Step {
  if (key === "down" || key === "up") {
    const by = key === "down" ? 1 : -1;
    const choose = nextChoice(dialog.choose, by, wordChoices(dialog).length);
    return step({ ...state, dialog: { ...dialog, choose } });
  }
  if (key !== "esc") return takeWord(state, dialog, dialog.choose ?? 0);
  const word = dialog.word && { text: dialog.word.text, choices: [], closed: true as const };
  return step({ ...state, dialog: { ...dialog, choose: undefined, word } });
}

function takeWord(state: State, dialog: FormDialog, at: number): Step {
  const field = dialog.fields[dialog.focus];
  const choice = wordChoices(dialog)[at];
  if (field === undefined || dialog.word === undefined || choice === undefined) return step(state);
  const value = withChoice(field.value, dialog.word, choice);
  return step(withField(state, { ...dialog, choose: undefined }, value));
}

function takeSuggestion(state: State, dialog: FormDialog): Step {
  const field = dialog.fields[dialog.focus];
  const choice = fieldSuggestions(state, dialog)[dialog.choose ?? 0];
  if (field?.complete === undefined || choice === undefined) return focusBy(state, dialog, 1);
  const value = completedField(field.complete, field.value, choice);
  return step(withField(state, { ...dialog, choose: undefined }, value));
}

export function takeOption(state: State, dialog: FormDialog, at: number): Step {
  if (dialog.saving) return step(state);
  const choice = dialog.fields[dialog.focus]?.choices?.[at];
  if (choice !== undefined) return step(withField(state, dialog, fieldOf(choice)));
  if (dialog.word !== undefined) return takeWord(state, dialog, at);
  return takeSuggestion(state, { ...dialog, choose: at });
}

/** A locked value is removed by the keys that delete text, not by typing. */
function unlock(state: State, dialog: FormDialog, key: string): Step {
  if (!["backspace", "delete", "ctrl+u"].includes(key))
    return hint(state, "backspace takes it away");
  const fields = changedField(dialog, { value: fieldOf(""), locked: false });
  return step({ ...state, dialog: { ...dialog, fields } });
}

function onChoicesKey(
  state: State,
  dialog: FormDialog,
  choices: readonly string[],
  key: string,
): Step {
  const value = dialog.fields[dialog.focus]?.value.text ?? "";
  const at = choices.indexOf(value);
  const to = (place: number): Step => {
    const choice = choices[(place + choices.length) % choices.length] ?? value;
    return step(withField(state, dialog, fieldOf(choice)));
  };
  if (key === "right" || key === "space" || key === "down") return to(at + 1);
  if (key === "left" || key === "up") return to(at - 1);
  if (key === "enter") return focusBy(state, dialog, 1);
  // A letter selects the next choice that begins with it.
  const next = [...choices.keys()].map((by) => (at + 1 + by) % choices.length);
  const begins = next.find((place) => key.length === 1 && choices[place]?.startsWith(key));
  return begins === undefined ? step(state) : to(begins);
}

function edited(state: State, dialog: FormDialog, value: Field | undefined): Step {
  if (value === undefined) return step(state);
  const field = dialog.fields[dialog.focus];
  const address = field?.complete === "ref" ? refOfAddress(state, value.text) : undefined;
  if (address !== undefined) return edited(state, dialog, fieldOf(address));
  const next = withField(state, { ...dialog, choose: undefined }, value);
  // The project in which an id without a project is looked up.
  const near = projectOfForm(state, dialog)?.id;
  if (field?.complete === "ref") return step(next, ...findRef(state, value.text, near));
  // If only the cursor has moved, no choices are looked up.
  if (field === undefined || field.lines === 1 || field.value.text === value.text)
    return step(next);
  const word = typedWord(state, dialog, value, near);
  const form = next.dialog?.dialog === "form" ? { ...next.dialog, word } : next.dialog;
  return step({ ...next, dialog: form }, ...findWord(state, value, word, near));
}

function withField(state: State, dialog: FormDialog, value: Field): State {
  const fields = changedField(dialog, { value });
  const calm = { error: undefined, leaving: false, word: undefined };
  const next: FormDialog = { ...dialog, ...calm, fields };
  return { ...state, dialog: formRecordOf(state, next).onChange?.(next) ?? next };
}

export function pasteInForm(state: State, dialog: FormDialog, text: string): Step {
  const field = dialog.fields[dialog.focus];
  if (field === undefined || field.choices !== undefined || dialog.saving) return step(state);
  if (field.locked === true) return unlock(state, dialog, "paste");
  const added = field.lines > 1 ? text : text.replaceAll("\n", " ");
  return edited(state, dialog, insert(field.value, added));
}

export function typedInForm(state: State, dialog: FormDialog, value: Field): Step {
  const field = dialog.fields[dialog.focus];
  const isTyped = field?.choices === undefined && field?.locked !== true && !dialog.saving;
  return isTyped ? edited(state, dialog, value) : step(state);
}

/** Puts the text from the external editor into the field in focus. A field of one line accepts only one line. */
export function withEdited(state: State, dialog: FormDialog, text: string): Step {
  const field = dialog.fields[dialog.focus];
  if (field === undefined || dialog.saving) return step(state);
  if (field.lines > 1) return edited(state, dialog, fieldOf(text.replace(/\n$/, "")));
  const value = text.trim();
  if (!value.includes("\n")) return edited(state, dialog, fieldOf(value));
  const error = `${field.label} is one line, and the editor gave ${value.split("\n").length}: it is as it was`;
  return step({ ...state, dialog: { ...dialog, error } });
}

/** Shows in the form why the editor gave no text, because an open form covers the messages. */
export function withEditorFailure(state: State, error: string): Step {
  const { dialog } = state;
  const shown = say(state, error, "error");
  if (dialog?.dialog !== "form" || dialog.saving) return shown;
  return { ...shown, state: { ...shown.state, dialog: { ...dialog, error } } };
}

/** Leaving a changed form takes two presses of Escape. */
function leaveForm(state: State, dialog: FormDialog): Step {
  if (isDraft(dialog) && !dialog.leaving)
    return step({ ...state, dialog: { ...dialog, leaving: true } });
  return step({ ...state, dialog: undefined });
}
