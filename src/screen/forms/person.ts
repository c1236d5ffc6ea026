import { ME } from "../../contract/reserved-actors.ts";
import { eitherMeant, personMeant } from "../../shared/person-meant.ts";
import { fieldOf } from "../field.ts";
import { peopleOf } from "../issues/choices.ts";
import type { State } from "../state.ts";
import type { FormDialog } from "./dialog.ts";
import { valueIn } from "./forms.ts";

type Person = { readonly name: string } | { readonly doubt: string };

/**
 * Returns the name of the person that a text means, or why this is not clear. The screen knows only the people in the
 * issues and events that it has loaded.
 */
export function personIn(state: State, text: string): Person {
  const { actor } = state.session;
  const name = personMeant(text, actor, () => peopleOf(state).includes(text));
  return name === undefined ? { doubt: `${eitherMeant(actor)}: ${ME} is you` } : { name };
}

/** Why it is not clear who the owner in a form is; `undefined` if it is clear. */
export function ownerInDoubt(state: State, dialog: FormDialog) {
  const person = personIn(state, valueIn(dialog, "owner"));
  return "doubt" in person ? { field: "owner", text: person.doubt } : undefined;
}

/** Returns the form with the owner's name in place of the typed text, such as `me`. */
export function withOwnerNamed(state: State, dialog: FormDialog): FormDialog {
  const person = personIn(state, valueIn(dialog, "owner"));
  if ("doubt" in person) return dialog;
  const fields = dialog.fields.map((field) =>
    field.name === "owner" ? { ...field, value: fieldOf(person.name) } : field,
  );
  return { ...dialog, fields };
}
