import { filterKey } from "../board/filter-form.ts";
import { inDaemons } from "../connection/daemons.ts";
import { inTurnConflict } from "../cron/toggle-job.ts";
import type { State } from "../state.ts";
import { hint, type Step, step } from "../step.ts";
import { sendAsked, sendOrAsk } from "../writes/sending.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { inConflict } from "./conflict.ts";
import type { Sheet } from "./dialog.ts";
import { inDrafts } from "./drafts.ts";
import { editField, type Field, insert } from "./field.ts";
import { inForm, pasteInForm, typedInForm } from "./form-keys.ts";
import { inList } from "./lists.ts";
import { inPrompt, typedPrompt } from "./prompts.ts";

/** Keys and pastes while something is asked for; nothing else hears them. */
export function inSheet(state: State, sheet: Sheet, key: string): Step {
  switch (sheet.sheet) {
    case "prompt":
      return inPrompt(state, sheet, key);
    case "form":
      return sheet.kind.form === "filter"
        ? (filterKey(state, sheet, key) ?? inForm(state, sheet, key))
        : inForm(state, sheet, key);
    case "menu":
      // Help and palette know all commands, which are above this file: `update` asks them first.
      return step(state);
    case "daemons":
      return inDaemons(state, sheet, key);
    case "drafts":
      return inDrafts(state, sheet, key);
    case "priority":
      return inPriority(state, sheet, key);
    case "confirm":
      return key === "y" ? sendAsked(state, sheet) : step({ ...state, sheet: sheet.input });
    case "type":
      return inTyped(state, sheet, key);
    case "conflict":
      return inConflict(state, sheet, key);
    case "turn-conflict":
      return inTurnConflict(state, sheet, key);
    case "quit":
      if (key === "y" || key === "ctrl+c") return step(state, { effect: "quit" });
      // A key that was meant for something else is no answer.
      return step(key === "n" || key === "esc" ? { ...state, sheet: sheet.under } : state);
    case "list":
      return inList(state, sheet, key);
  }
}

export function pasteInSheet(state: State, sheet: Sheet, text: string): Step {
  if (sheet.sheet === "form") return pasteInForm(state, sheet, text);
  if (!("field" in sheet)) return step(state);
  const field = insert(sheet.field, text.replaceAll("\n", " "));
  return sheet.sheet === "prompt" ? typedPrompt(state, sheet, field) : typed(state, sheet, field);
}

/** A text that was typed where keys write it by themselves. */
export function typedInSheet(state: State, sheet: Sheet, field: Field): Step {
  if (sheet.sheet === "form") return typedInForm(state, sheet, field);
  if (sheet.sheet === "prompt") return typedPrompt(state, sheet, field);
  return "field" in sheet ? typed(state, sheet, field) : step(state);
}

export function closed(state: State): State {
  return { ...state, sheet: undefined };
}

type WithField = Extract<Sheet, { readonly sheet: "menu" | "type" }>;

function typed(state: State, sheet: WithField, field: Field): Step {
  return step({ ...state, sheet: { ...sheet, field, ...("at" in sheet ? { at: 0 } : {}) } });
}

function inPriority(state: State, sheet: Extract<Sheet, { sheet: "priority" }>, key: string): Step {
  const left = closed(state);
  if (!/^[0-4-]$/.test(key)) return step(left);
  const priority = key === "-" ? undefined : Number(key);
  const writes = sheet.uids
    .flatMap((uid) => state.issues.get(uid) ?? [])
    .map((issue): Write => ({ act: "priority", at: atOf(issue), priority }));
  return sendOrAsk(left, writes, `set the priority of ${writes.length} issues?`);
}

function inTyped(state: State, sheet: Extract<Sheet, { sheet: "type" }>, key: string): Step {
  if (key === "esc") return step({ ...state, sheet: sheet.input });
  if (key === "enter") {
    if (sheet.field.text.trim() !== sheet.expected)
      return hint(state, `type ${sheet.expected} to go on, or esc`);
    return sendAsked(state, sheet);
  }
  const field = editField(sheet.field, key);
  return field === undefined ? step(state) : typed(state, sheet, field);
}
