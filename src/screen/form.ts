import type { FormDialog, FormDialogOf, FormKind, FormKinds } from "./forms/dialog.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";
import type { SentWrite } from "./writes/done.ts";
import type { Write } from "./writes/writes.ts";

type FormName = FormKind["form"];

/**
 * One kind of form: when it can be sent, and what is sent. Each screen has the records of its own forms. The forms
 * about issues are in `forms/shared-forms.ts`.
 */
export interface FormRecord<Form extends FormName = FormName> {
  /** Why the form cannot be sent; `undefined` if it can. */
  problem?(state: State, dialog: FormDialogOf<Form>): FormProblem | undefined;
  /** The writes that send what the person changed; none if nothing was changed. */
  writes(state: State, dialog: FormDialogOf<Form>): readonly Write[];
  /** The project that the form is about. Without this function, it is the project of the form's first issue. */
  project?(state: State, dialog: FormDialogOf<Form>): FormProject | undefined;
  /** The issues that a field for an issue offers. Without this function, all issues are offered. */
  refs?(state: State, dialog: FormDialogOf<Form>): readonly string[];
  /**
   * Set if the form's values are not worth keeping. They are then neither kept as a draft nor counted as unsaved work.
   */
  readonly isNoDraft?: true;
  /** Handles the keys that this form treats in its own way. Returns `undefined` for other keys. */
  key?(state: State, dialog: FormDialogOf<Form>, key: string): Step | undefined;
  /** Called after a change of the field in focus. Returns the form with all parts updated that depend on this field. */
  onChange?(dialog: FormDialogOf<Form>): FormDialog;
  /** Handles a refusal that this form shows in its own way. Returns `undefined` for other refusals. */
  onRefusal?(state: State, dialog: FormDialogOf<Form>, refusal: SentWrite): Step | undefined;
  /** Called after each message while the form is open. Asks for what the form shows beside its fields. */
  onUpdate?(state: State, dialog: FormDialogOf<Form>): Step;
}

export interface FormProblem {
  /** The name of the field; empty if the problem is not about one field. */
  readonly field: string;
  readonly text: string;
}

export interface FormProject {
  readonly id: number;
  readonly name: string;
}

export type FormRecords<Owner extends keyof FormKinds> = {
  readonly [Form in keyof FormKinds[Owner]]: FormRecord<Form & FormName>;
};
