import { boardIssue } from "../chosen.ts";
import { fieldOf } from "../field.ts";
import type { Issue } from "../issues/issues.ts";
import { ownedFormText } from "../issues/synced.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { Done } from "../writes/done.ts";
import { uidOf, type Write } from "../writes/writes.ts";
import type { FormDialog, FormField } from "./dialog.ts";

/**
 * Opens a form with an id of its own, so that an answer to an earlier form is not mistaken for an answer to this one.
 */
export function opened(state: State, make: (id: number) => FormDialog): Step {
  const serial = state.session.serial + 1;
  return step({ ...state, session: { ...state.session, serial }, dialog: make(serial) });
}

type More = Partial<Pick<FormField, "lines" | "choices" | "complete" | "hint" | "locked">>;

export function fieldRow(name: string, label: string, initial: string, more: More = {}): FormField {
  return { name, label, value: fieldOf(initial), initial, lines: 1, ...more };
}

export function formOf(
  id: number,
  kind: FormDialog["kind"],
  title: string,
  fields: readonly FormField[],
): FormDialog {
  return {
    dialog: "form",
    id,
    kind,
    title,
    fields,
    focus: 0,
    saving: false,
    error: undefined,
    notes: [],
    leaving: false,
    choose: undefined,
  };
}

/**
 * The form for a new issue. If the request is sent twice, the daemon recognizes the second one by its `key` and answers
 * with the first issue instead of making another.
 */
export function newForm(state: State, parent: Issue | undefined, id: number): FormDialog {
  const project = targetProject(state, parent);
  const title = parent === undefined ? "new issue" : `new child of ${parent.qualified_id}`;
  return formOf(id, { form: "new", project, key: keyOf(state, id), force: false }, title, [
    fieldRow("title", "Title", ""),
    fieldRow("body", "Body", "", { lines: 6 }),
    fieldRow("labels", "Labels", "", { complete: "label" }),
    fieldRow("owner", "Owner", "", { complete: "owner" }),
    fieldRow("priority", "Priority", "-", { choices: ["-", "0", "1", "2", "3", "4"] }),
    fieldRow("parent", "Parent", parent?.qualified_id ?? "", {
      complete: "ref",
      locked: parent !== undefined,
    }),
    fieldRow("project", "Project", project.name, {
      complete: "project",
      locked: state.scope.project !== undefined,
    }),
  ]);
}

/**
 * The project of a new issue. It is the first of these that exists:
 *
 * - the project of its parent
 * - the project that is shown
 * - the project of the issue under the cursor of the board
 * - the first project
 */
function targetProject(
  state: State,
  parent: Issue | undefined,
): { readonly id: number; readonly name: string } {
  const { project, projects } = state.scope;
  const near = parent ?? state.issues.get(boardIssue(state) ?? "");
  if (parent === undefined && project !== undefined) return project;
  if (near !== undefined) return { id: near.project_id, name: near.project_name };
  const [first] = projects;
  return { id: first?.id ?? 0, name: first?.name ?? "" };
}

export function projectIn(
  { scope: { projects } }: Pick<State, "scope">,
  dialog: FormDialog,
): { readonly id: number; readonly name: string } | undefined {
  if (dialog.kind.form !== "new") return undefined;
  const name = valueIn(dialog, "project");
  return [dialog.kind.project, ...projects].find((known) => known.name === name);
}

export function uidsIn({ kind }: FormDialog): readonly string[] {
  if ("uids" in kind) return kind.uids;
  return "uid" in kind ? [kind.uid] : [];
}

export function valueIn({ fields }: Pick<FormDialog, "fields">, name: string): string {
  return fields.find((field) => field.name === name)?.value.text.trim() ?? "";
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

export const DATE_KEYS = ["scheduled_on", "deadline_on", "timezone"] as const;

const DAY = "a day like fri, +3d or 2026-11-24, or 2026-11-24T09:30";
const ZONE = "a name like Europe/Berlin";

/**
 * The form for planning dates. Fields start with the values that all issues have in common. Only values that the person
 * changes are sent.
 */
export function datesForm(issues: readonly Issue[], id: number): FormDialog {
  const common = (key: string): unknown => {
    const values = new Set(issues.map(({ metadata }) => metadata[key]));
    return values.size === 1 ? [...values][0] : undefined;
  };
  const text = (key: string): string => {
    const value = common(key);
    return typeof value === "string" ? value : "";
  };
  const uids = issues.map(({ uid }) => uid);
  return formOf(id, { form: "dates", uids }, `dates of ${aboutAll(issues)}`, [
    fieldRow("scheduled_on", "Scheduled", text("scheduled_on"), { hint: DAY }),
    fieldRow("deadline_on", "Deadline", text("deadline_on"), { hint: DAY }),
    fieldRow("timezone", "Time zone", text("timezone"), { hint: ZONE }),
    fieldRow("someday", "Parked", common("someday") === true ? "yes" : "no", {
      choices: ["no", "yes"],
    }),
  ]);
}

export function aboutAll(issues: readonly Issue[]): string {
  return issues.length === 1 ? (issues[0]?.qualified_id ?? "") : `${issues.length} issues`;
}

/** Shows the form again with the reason of the refusal. */
export function formAgain(state: State, dialog: FormDialog, failed: readonly Done[]): Step {
  const [first, ...others] = failed;
  if (first === undefined) return step({ ...state, dialog });
  const uids = failed.flatMap(({ write }) => uidOf(write) ?? []);
  const more = others.length === 0 ? "" : ` (and ${others.length} more: M)`;
  const kind = "uids" in dialog.kind ? { ...dialog.kind, uids } : dialog.kind;
  const focus = placeOf(dialog, first.field);
  const again = { ...dialog, kind, focus, saving: false, error: `${first.text}${more}` };
  if (kind.form === "series" && first.code === "revision_conflict") {
    const notes = ["send it again: what you changed is put over what is there now"];
    const forced = { ...again, kind: { ...kind, force: true }, notes };
    return step({ ...state, dialog: forced });
  }
  if (kind.form === "edit" && isConflict(first)) {
    const conflict = { dialog: "conflict", form: again, uid: kind.uid, leaving: false } as const;
    return step({ ...state, dialog: conflict }, { effect: "refresh", uids: [kind.uid] });
  }
  // After a refusal because of similar issues, saving again creates the issue anyway.
  if (kind.form === "new" && first.code === "duplicate_candidates") {
    const notes = [...(first.candidates ?? []), "send it again to create it anyway"];
    return step({ ...state, dialog: { ...again, kind: { ...kind, force: true }, notes } });
  }
  return step({ ...state, dialog: again });
}

function isConflict({ code }: Done): boolean {
  return code === "revision_conflict" || code === "body_conflict";
}

/**
 * The index of the field with this name, or of the field in focus if there is none. The name `evidence` means the first
 * field for the value of an evidence item.
 */
export function placeOf({ fields, focus }: FormDialog, wanted: string | undefined): number {
  const at = fields.findIndex(
    ({ name }) => name === wanted || (wanted === "evidence" && name.startsWith("value")),
  );
  return at === -1 ? focus : at;
}

export function changedField(
  { fields, focus }: FormDialog,
  change: Partial<FormField>,
): FormDialog["fields"] {
  return fields.map((field, at) => (at === focus ? { ...field, ...change } : field));
}

export function isDraft({ fields }: FormDialog): boolean {
  return fields.some((field) => field.value.text !== field.initial);
}

/** The idempotency key of a form, so that saving twice creates one issue or comment. */
export function keyOf({ session: { id: session } }: State, id: number): string {
  return `tui-${session}-${id}`;
}
