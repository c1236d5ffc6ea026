import { fieldOf } from "../field.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { FormDialog, FormField } from "./dialog.ts";

/**
 * Opens a form with an id of its own, so that an answer to an earlier form is not mistaken for an answer to this one.
 */
export function openNewForm(state: State, make: (id: number) => FormDialog): Step {
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

export function uidsIn({ kind }: FormDialog): readonly string[] {
  if ("uids" in kind) return kind.uids;
  return "uid" in kind ? [kind.uid] : [];
}

export function valueIn({ fields }: Pick<FormDialog, "fields">, name: string): string {
  return fields.find((field) => field.name === name)?.value.text.trim() ?? "";
}

/** Leading blanks are kept: they may matter in Markdown. */
export function textOf({ fields }: Pick<FormDialog, "fields">, name: string): string {
  return fields.find((field) => field.name === name)?.value.text.trimEnd() ?? "";
}

export function isEmpty(dialog: Pick<FormDialog, "fields">, name: string): boolean {
  return valueIn(dialog, name) === "";
}

export function aboutAll(issues: readonly Issue[]): string {
  return issues.length === 1 ? (issues[0]?.qualified_id ?? "") : `${issues.length} issues`;
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
