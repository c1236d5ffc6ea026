import type { FormRecord } from "../form.ts";
import type { Issue } from "../issues/issues.ts";
import { ownedFormText } from "../issues/synced.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { changedFields } from "../writes/inverse.ts";
import { trueIssue } from "../writes/optimism.ts";
import { atOf, type Write } from "../writes/writes.ts";
import type { FormDialog, FormDialogOf } from "./dialog.ts";
import { fieldRow, formOf, isEmpty, keyOf, textOf } from "./forms.ts";

export interface CommentKind {
  readonly uid: string;
  readonly key: string;
  /** The write to send after the comment was accepted. */
  readonly after?: Write;
  /**
   * The sender of the request that the comment answers, who is notified of the comment. Absent if the user sent the
   * request.
   */
  readonly asker?: string;
}

export function editForm(
  { uid, revision, qualified_id, title, body, synced }: Issue,
  id: number,
): FormDialog {
  const form = formOf(id, { form: "edit", uid, revision }, `edit ${qualified_id}`, [
    fieldRow("title", "Title", title),
    fieldRow("body", "Body", body, { lines: 10 }),
  ]);
  return synced === undefined ? form : { ...form, about: ownedFormText(synced) };
}

export function commentForm(
  state: State,
  { uid, qualified_id }: Issue,
  id: number,
  after?: Write,
  asker?: string,
): FormDialog {
  const key = keyOf(state, id);
  const kind = {
    ...({ form: "comment", uid, key } as const),
    ...(after === undefined ? {} : { after }),
    ...(asker === undefined ? {} : { asker }),
  };
  const tells = asker === undefined ? "" : ` and tell ${asker}`;
  const more = after === undefined ? "" : `, clear the request${tells}`;
  return formOf(id, kind, `comment on ${qualified_id}${more}`, [
    fieldRow("body", "Comment", "", { lines: 8 }),
  ]);
}

export function commentEditForm(
  { uid, qualified_id }: Issue,
  comment: { readonly uid: string; readonly body: string },
  id: number,
): FormDialog {
  const kind = { form: "edit-comment", uid, comment: comment.uid } as const;
  return formOf(id, kind, `edit your comment on ${qualified_id}`, [
    fieldRow("body", "Comment", comment.body, { lines: 8 }),
  ]);
}

export const EDIT_FORM: FormRecord<"edit"> = {
  problem: (_state, dialog) =>
    isEmpty(dialog, "title") ? { field: "title", text: "the title is empty" } : undefined,
  writes: (state, dialog) => {
    const issue = trueIssue(state, dialog.kind.uid);
    return issue === undefined ? [] : editOf(dialog, issue);
  },
  onRefusal: (state, form, { code }) => {
    if (code !== "revision_conflict" && code !== "body_conflict") return undefined;
    const { uid } = form.kind;
    const conflict = { dialog: "conflict", form, uid, leaving: false } as const;
    return step({ ...state, dialog: conflict }, { effect: "refresh", uids: [uid] });
  },
};

export const COMMENT_FORM: FormRecord<"comment"> = {
  problem: emptyComment,
  writes: (state, dialog) => {
    const { uid, key } = dialog.kind;
    const issue = trueIssue(state, uid);
    if (issue === undefined) return [];
    return [{ act: "comment", at: atOf(issue), body: textOf(dialog, "body"), key }];
  },
};

export const EDIT_COMMENT_FORM: FormRecord<"edit-comment"> = {
  problem: emptyComment,
  writes: (state, dialog) => {
    const { uid, comment } = dialog.kind;
    const [{ initial: before } = { initial: "" }] = dialog.fields;
    const body = textOf(dialog, "body");
    const issue = trueIssue(state, uid);
    if (body === before || issue === undefined) return [];
    return [{ act: "edit-comment", at: atOf(issue), comment, body, before }];
  },
};

function emptyComment(_state: State, dialog: FormDialog) {
  return isEmpty(dialog, "body") ? { field: "body", text: "the comment is empty" } : undefined;
}

/**
 * The write for the changed fields; none if nothing was changed. The write is refused if somebody else has changed one
 * of these fields since the form was opened.
 */
function editOf(dialog: FormDialogOf<"edit">, issue: Issue): readonly Write[] {
  const { revision } = dialog.kind;
  const initial = (name: string): string =>
    dialog.fields.find((field) => field.name === name)?.initial ?? "";
  const changed = (name: string, text: string): string | undefined =>
    text === initial(name).trimEnd() ? undefined : text;
  const title = changed("title", textOf(dialog, "title").trim());
  const body = changed("body", textOf(dialog, "body"));
  if (title === undefined && body === undefined) return [];
  const base = { ...issue, title: initial("title"), body: initial("body") };
  const before = body === undefined ? undefined : base.body;
  const write: Write = { act: "edit", at: atOf(issue), title, body, revision, before };
  return [{ ...write, guard: changedFields(write, base) }];
}
