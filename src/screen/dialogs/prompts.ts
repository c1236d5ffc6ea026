import { editField, type Field, fieldOf } from "../field.ts";
import { findRef, nextChoice } from "../forms/completion.ts";
import type { PromptDialog } from "../forms/dialog.ts";
import { refOfAddress } from "../issues/issue-address.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { promptOf } from "./prompt-of.ts";
import { completedPrompt, suggestions, takenByEnter, takesOtherName } from "./suggestions.ts";

export function onPromptKey(state: State, dialog: PromptDialog, key: string): Step {
  const record = promptOf(state, dialog);
  const own = record.key?.(state, dialog, key);
  if (own !== undefined) return own;
  const left = { ...state, dialog: undefined };
  switch (key) {
    case "esc":
      return step(record.onLeave?.(left, dialog) ?? left);
    case "enter":
      return onEnter(state, dialog);
    case "ctrl+s":
      return takesOtherName(state, dialog) ? answer(left, dialog) : step(state);
    case "tab": {
      const taken = suggestions(state, dialog)[dialog.choose ?? 0];
      return taken === undefined
        ? step(state)
        : typedPrompt(state, dialog, completedPrompt(state, dialog, taken));
    }
    case "down":
    case "up": {
      const { length } = suggestions(state, dialog);
      const choose = nextChoice(dialog.choose, key === "down" ? 1 : -1, length);
      return step({ ...state, dialog: { ...dialog, choose } });
    }
    default: {
      // On the browser page, the key may come before the page has drawn the checkboxes.
      if (key === "space" && record.spaceTakes === true && dialog.field.text === "")
        return onEnter(state, dialog);
      const field = editField(dialog.field, key);
      return field === undefined ? step(state) : typedPrompt(state, dialog, field);
    }
  }
}

function onEnter(state: State, dialog: PromptDialog): Step {
  const left = { ...state, dialog: undefined };
  const taken = takenByEnter(state, dialog);
  if (taken === undefined) return answer(left, dialog);
  const field = completedPrompt(state, dialog, taken);
  return promptOf(state, dialog).staysOpen === true
    ? typedPrompt(state, dialog, field)
    : answer(left, { ...dialog, field });
}

/**
 * Changes the text of a prompt.
 *
 * - A filter takes effect at each typed character: its record says how.
 * - In a prompt that asks for an issue, a pasted address of an issue's page is replaced by the issue's id.
 * - In a prompt that asks for an issue, the daemon is asked if no loaded issue matches the text.
 */
export function typedPrompt(state: State, dialog: PromptDialog, field: Field): Step {
  const { names, onChange } = promptOf(state, dialog);
  const address = names === "issue" ? refOfAddress(state, field.text) : undefined;
  if (address !== undefined) return typedPrompt(state, dialog, fieldOf(address));
  const next = { ...state, dialog: { ...dialog, choose: undefined, error: undefined, field } };
  if (onChange !== undefined) return step(onChange(next, field.text));
  if (names !== "issue") return step(next);
  const near = state.issues.get(dialog.uids[0] ?? "")?.project_id;
  return step(next, ...findRef(state, field.text, near));
}

function answer(state: State, dialog: PromptDialog): Step {
  const text = dialog.field.text.trim();
  const record = promptOf(state, dialog);
  if (text === "" && record.needsText === true)
    return hint({ ...state, dialog }, "nothing was typed   esc leaves it");
  return record.answer(state, dialog, text);
}
