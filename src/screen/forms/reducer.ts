import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { offeredChoices } from "./completion.ts";
import { withEdited, withEditorFailure } from "./form-keys.ts";

export const formsReducer: Reducer<"completed" | "edited"> = {
  /** Stores the choices that the daemon found for a text, unless the person has typed another text since. */
  completed: (state, { text, choices }) => {
    const { dialog } = state;
    if (dialog?.dialog !== "prompt" && dialog?.dialog !== "form") return step(state);
    if (dialog.dialog === "form" && dialog.word?.text === text && dialog.word.closed !== true)
      return step({ ...state, dialog: { ...dialog, word: { text, choices } } });
    const typed = dialog.dialog === "prompt" ? dialog.field : dialog.fields[dialog.focus]?.value;
    if (typed?.text !== text) return step(state);
    const found = { text, choices: offeredChoices(state, dialog, choices) };
    return step({ ...state, dialog: { ...dialog, found } });
  },
  edited: (state, message) => {
    if ("error" in message) return withEditorFailure(state, message.error);
    const { dialog } = state;
    const { text } = message;
    return dialog?.dialog === "form" ? withEdited(state, dialog, text) : step(state);
  },
};
