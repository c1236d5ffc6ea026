import type { CloseReason } from "../../domain/close.ts";
import type { FormRecord, FormRecords } from "../form.ts";
import { linkTargets } from "../writes/links.ts";
import { trueIssue } from "../writes/optimism.ts";
import { atOf } from "../writes/writes.ts";
import { evidenceIn, evidenceOf, withEvidenceRows } from "./close-form.ts";
import { DATES_FORM } from "./dates-form.ts";
import { valueIn } from "./forms.ts";
import { NEW_FORM, type NewKind } from "./new-form.ts";
import { COMMENT_FORM, type CommentKind, EDIT_COMMENT_FORM, EDIT_FORM } from "./text-forms.ts";

declare module "./dialog.ts" {
  interface FormKinds {
    readonly shared: {
      readonly new: NewKind;
      readonly edit: { readonly uid: string; readonly revision: number };
      readonly comment: CommentKind;
      readonly "edit-comment": { readonly uid: string; readonly comment: string };
      readonly dates: { readonly uids: readonly string[] };
      readonly close: { readonly uids: readonly string[] };
    };
  }
}

const CLOSE_FORM: FormRecord<"close"> = {
  problem: (_state, dialog) => {
    const at = evidenceIn(dialog).findIndex(({ value: { text } }) => text.trim() === "");
    return at === -1 ? undefined : { field: `value${at + 1}`, text: "this evidence needs a value" };
  },
  writes: (state, dialog) => {
    const closing = {
      reason: valueIn(dialog, "reason") as CloseReason,
      message: valueIn(dialog, "message") || undefined,
      evidence: evidenceOf(dialog),
    };
    return dialog.kind.uids
      .flatMap((uid) => trueIssue(state, uid) ?? [])
      .map((issue) => ({ act: "close", at: atOf(issue), ...closing }));
  },
  onChange: withEvidenceRows,
  // The closed issue can duplicate only another issue of the same project, and only such an issue can supersede it.
  refs: (state, { kind }) => linkTargets(state, "duplicate", kind.uids),
};

/** The forms that do not belong to a screen. */
export const SHARED_FORMS: FormRecords<"shared"> = {
  new: NEW_FORM,
  edit: EDIT_FORM,
  comment: COMMENT_FORM,
  "edit-comment": EDIT_COMMENT_FORM,
  dates: DATES_FORM,
  close: CLOSE_FORM,
};
