import type { FormSheet } from "../../src/screen/forms/dialog.ts";
import type { Session } from "./support.ts";

/** The form that is open. */
export function form({ state: { sheet } }: Session): FormSheet {
  if (sheet?.sheet !== "form") throw new Error(`no form is open but ${sheet?.sheet}`);
  return sheet;
}

export function names(session: Session): readonly string[] {
  return form(session).fields.map(({ name }) => name);
}

export function values(session: Session): Readonly<Record<string, string>> {
  return Object.fromEntries(form(session).fields.map(({ name, value }) => [name, value.text]));
}
