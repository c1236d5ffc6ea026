import { counted } from "../../base/counted.ts";
import type { State } from "../state.ts";
import { openForm, refusedForms, waitingDrafts } from "./drafts.ts";
import { formRecordOf } from "./form-record.ts";
import { isDraft } from "./forms.ts";

/** What would be lost if the person quit now. */
export function unsavedWork(state: State): readonly string[] {
  const pending = state.writes.sent.filter((one) => one.state === "pending").length;
  const form = openForm(state.dialog);
  const refused = refusedForms(state).filter(({ id }) => id !== form?.id).length;
  const waiting = waitingDrafts(state).length;
  const isTyping =
    form !== undefined && formRecordOf(state, form).isNoDraft !== true && isDraft(form);
  const were = refused === 1 ? "was" : "were";
  return [
    ...(pending === 0 ? [] : [`${counted(pending, "change")} still on the way to the daemon`]),
    ...(refused === 0 ? [] : [`${counted(refused, "draft")} that ${were} refused`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, "draft")} for another daemon`]),
    ...(isTyping && !form.saving ? ["what you are typing"] : []),
  ];
}
