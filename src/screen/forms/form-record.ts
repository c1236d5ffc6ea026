import type { FormProject, FormRecord } from "../form.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { trueIssue } from "../writes/optimism.ts";
import type { FormDialog } from "./dialog.ts";
import { uidsIn } from "./forms.ts";
import { SHARED_FORMS } from "./shared-forms.ts";

type Screens = Pick<State, "screens">;

/** Returns the record of the form, from a screen or from the shared forms. Throws if there is no such record. */
export function formRecordOf(screens: Screens, { kind: { form } }: FormDialog): FormRecord {
  const found = recordsOf(screens).find(([name]) => name === form);
  if (found === undefined) throw new Error(`no form is called ${form}`);
  return found[1];
}

/** The names of the forms whose text is kept as a draft if it could not be sent. */
export function draftFormNames(screens: Screens): readonly string[] {
  return recordsOf(screens).flatMap(([name, { isNoDraft }]) => (isNoDraft === true ? [] : [name]));
}

function recordsOf({ screens }: Screens): readonly (readonly [string, FormRecord])[] {
  const tables: readonly object[] = [SHARED_FORMS, ...screens.map(({ forms = {} }) => forms)];
  return tables.flatMap((table) =>
    // The cast is safe: in these tables, the record under the name of a form is the record of that form.
    Object.entries(table as Readonly<Record<string, FormRecord>>),
  );
}

/** The project that the form is about; `undefined` if the screen does not know its issue. */
export function projectOfForm(state: State, dialog: FormDialog): FormProject | undefined {
  const record = formRecordOf(state, dialog);
  if (record.project !== undefined) return record.project(state, dialog);
  const issue = trueIssue(state, uidsIn(dialog)[0] ?? "");
  return issue && { id: issue.project_id, name: issue.project_name };
}

/** Asks for what the open form shows beside its fields, if this has changed. */
export function updateForm({ state, effects }: Step): Step {
  const { dialog } = state;
  if (dialog?.dialog !== "form") return { state, effects };
  const next = formRecordOf(state, dialog).onUpdate?.(state, dialog) ?? step(state);
  return { state: next.state, effects: [...effects, ...next.effects] };
}
