import type { FormProblem } from "../form.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { trueIssue } from "../writes/optimism.ts";
import { GONE, sendOrAsk } from "../writes/sending.ts";
import type { FormDialog } from "./dialog.ts";
import { formRecordOf } from "./form-record.ts";
import { placeOf, uidsIn } from "./forms.ts";
import { withOwnerNamed } from "./person.ts";

/**
 * Sends the form. The form stays open until the daemon has accepted it. If the form has a problem, shows the problem
 * instead. If nothing was changed, closes the form.
 */
export function saveForm(state: State, dialog: FormDialog): Step {
  const problem = problemOf(state, dialog);
  if (problem !== undefined) {
    const { field, text: error } = problem;
    return step({
      ...state,
      dialog: { ...dialog, error, isUnsent: false, focus: placeOf(dialog, field) },
    });
  }
  const named = withOwnerNamed(state, dialog);
  const writes = formRecordOf(state, named).writes(state, named);
  if (writes.length === 0) return step({ ...state, dialog: undefined });
  const input = { ...dialog, error: undefined, isUnsent: false, leaving: false };
  return sendOrAsk({ ...state, dialog: input }, writes, `${dialog.title}?`, input);
}

function problemOf(state: State, dialog: FormDialog): FormProblem | undefined {
  const uids = uidsIn(dialog);
  if (uids.length > 0 && uids.every((uid) => trueIssue(state, uid) === undefined))
    return { field: "", text: GONE };
  return formRecordOf(state, dialog).problem?.(state, dialog);
}
