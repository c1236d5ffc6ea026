import type { FormDialog } from "../../src/screen/forms/dialog.ts";
import type { Session } from "./support.ts";

/** Returns the open form. */
export function form({ state: { dialog } }: Session): FormDialog {
  if (dialog?.dialog !== "form") throw new Error(`no form is open but ${dialog?.dialog}`);
  return dialog;
}

export function names(session: Session): readonly string[] {
  return form(session).fields.map(({ name }) => name);
}

export function values(session: Session): Readonly<Record<string, string>> {
  return Object.fromEntries(form(session).fields.map(({ name, value }) => [name, value.text]));
}
