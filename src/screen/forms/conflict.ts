import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { changedFields } from "../writes/inverse.ts";
import { trueIssue } from "../writes/optimism.ts";
import { sendWrites } from "../writes/send.ts";
import type { ConflictDialog, FormDialog, Side } from "./dialog.ts";
import { openNewForm } from "./forms.ts";
import { saveForm } from "./saving.ts";
import { editForm } from "./text-forms.ts";

/**
 * Handles a key in the dialog that opens if somebody else changed the issue while it was edited. Nothing is sent until
 * the person decides.
 */
export function onConflictKey(state: State, dialog: ConflictDialog, key: string): Step {
  const theirs = trueIssue(state, dialog.uid);
  if (key === "esc") return step({ ...state, dialog: dialog.form });
  if (theirs === undefined) return step(state);
  if (key === "o") return overwrite(state, dialog.form, theirs);
  if (key !== "r") return step({ ...state, dialog: { ...dialog, leaving: false } });
  if (!dialog.leaving) return step({ ...state, dialog: { ...dialog, leaving: true } });
  return openNewForm(state, (id) => editForm(theirs, id));
}

/**
 * Sends the draft although the issue was changed, based on its current version. If the issue changes once more before
 * the write arrives, that is a new conflict.
 */
function overwrite(state: State, form: FormDialog, theirs: Issue): Step {
  const saved = saveForm(state, form);
  const [write] = saved.effects.flatMap((one) => (one.effect === "write" ? [one.write] : []));
  if (write?.act !== "edit") return saved;
  const { revision } = theirs;
  const before = write.body === undefined ? undefined : theirs.body;
  const again = { ...write, revision, before, guard: changedFields(write, theirs) };
  return sendWrites({ ...state, dialog: { ...form, saving: true, error: undefined } }, [again], {
    input: form,
  });
}

export function sidesOf(state: State, { form, uid }: ConflictDialog): readonly Side[] {
  const issue = trueIssue(state, uid);
  return form.fields.flatMap(({ name, label, initial: base, value: { text: mine } }) => {
    if (mine === base) return [];
    const theirs = (name === "title" ? issue?.title : issue?.body) ?? "";
    return [{ label, base, theirs, mine }];
  });
}

/** Whether the other person changed only fields that the draft does not change. */
export function isOnlyRevision(state: State, dialog: ConflictDialog): boolean {
  return sidesOf(state, dialog).every(({ base, theirs }) => base === theirs);
}
