import { type Field, fieldOf } from "../field.ts";
import { isPartOfRef, MAX_SUGGESTIONS, matchingChoices, wordOf } from "../forms/completion.ts";
import type { PromptDialog } from "../forms/dialog.ts";
import type { State } from "../state.ts";
import { promptOf } from "./prompt-of.ts";

type Screens = Pick<State, "screens">;

export function suggestions(screens: Screens, dialog: PromptDialog): readonly string[] {
  const { choices, field, found } = dialog;
  const { wordChoices } = promptOf(screens, dialog);
  return wordChoices === undefined
    ? matchingChoices(choices, field.text, found)
    : wordChoices(field.text, choices).slice(0, MAX_SUGGESTIONS);
}

/** The suggestion that Enter takes: the chosen one, or the only one. */
export function takenByEnter(screens: Screens, dialog: PromptDialog): string | undefined {
  const choices = suggestions(screens, dialog);
  if (dialog.choose !== undefined) return choices[dialog.choose];
  const [only, second] = choices;
  if (only === undefined || second !== undefined) return undefined;
  return takesOnly(screens, dialog, only) ? only : undefined;
}

function takesOnly(screens: Screens, dialog: PromptDialog, only: string): boolean {
  const { text } = dialog.field;
  const { names } = promptOf(screens, dialog);
  if (names === "issue") return isPartOfRef(text, only);
  return names === "choice" || (names === "name" && text.trim() !== "");
}

/** Whether Enter takes a suggested name instead of the typed name. Ctrl+S then sends the typed name. */
export function takesOtherName(screens: Screens, dialog: PromptDialog): boolean {
  if (promptOf(screens, dialog).names !== "name") return false;
  const taken = takenByEnter(screens, dialog);
  return taken !== undefined && taken !== dialog.field.text.trim();
}

/**
 * Returns the text of the prompt after the suggestion has replaced it. If the prompt completes words, the suggestion
 * replaces only the last word.
 */
export function completedPrompt(screens: Screens, dialog: PromptDialog, choice: string): Field {
  const word = wordOf(choice);
  if (promptOf(screens, dialog).wordChoices === undefined) return fieldOf(word);
  return fieldOf([...dialog.field.text.split(" ").slice(0, -1), word].join(" "));
}
