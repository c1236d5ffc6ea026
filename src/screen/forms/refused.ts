import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { SentWrite } from "../writes/done.ts";
import { uidOf } from "../writes/writes.ts";
import type { FormDialog } from "./dialog.ts";
import { formRecordOf } from "./form-record.ts";
import { placeOf } from "./forms.ts";

/** Shows the form again with the reason of the refusal. */
export function formAgain(state: State, dialog: FormDialog, failed: readonly SentWrite[]): Step {
  const [first, ...others] = failed;
  if (first === undefined) return step({ ...state, dialog });
  const uids = failed.flatMap(({ write }) => uidOf(write) ?? []);
  const more = others.length === 0 ? "" : ` (and ${others.length} more: M)`;
  const kind = "uids" in dialog.kind ? { ...dialog.kind, uids } : dialog.kind;
  const focus = placeOf(dialog, first.field);
  const again = { ...dialog, kind, focus, saving: false, error: `${first.text}${more}` };
  return (
    formRecordOf(state, again).onRefusal?.(state, again, first) ?? step({ ...state, dialog: again })
  );
}
