import { DATED_VIEWS } from "../../domain/planning-days.ts";
import { fieldOf } from "../field.ts";
import type { FormRecord } from "../form.ts";
import { takesSuggestion } from "../forms/completion.ts";
import type { FormDialog } from "../forms/dialog.ts";
import { changedField, fieldRow, formOf, valueIn } from "../forms/forms.ts";
import {
  NO_FILTER,
  parseQuery,
  partsOf,
  partWith,
  RELATIONS,
  STATUSES,
  termOf,
} from "../issues/query.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { setQuery } from "./board.ts";

declare module "../forms/dialog.ts" {
  interface FormKinds {
    readonly board: { readonly filter: unknown };
  }
}

/** Returns a form for the filter. The form edits the same text as the filter line. */
export function filterForm({ board }: State): FormDialog {
  return formOf(0, { form: "filter" }, "filter", fieldsOf(board.query));
}

function fieldsOf(query: string): FormDialog["fields"] {
  const parts = partsOf(query);
  const values = (name: string): readonly string[] =>
    parts.flatMap((part) => {
      const term = termOf(part);
      return term.is === name && "value" in term && term.value !== undefined ? [term.value] : [];
    });
  const labels = parts.flatMap((part) => {
    const term = termOf(part);
    if (term.is === "label") return [term.value];
    return term.is === "-label" ? [`-${term.value}`] : [];
  });
  const priority = parts.flatMap((part) => {
    const term = termOf(part);
    return term.is === "priority" ? [`${term.sign}${term.level}`] : [];
  });
  const words = parts.filter((part) => ["word", "meta"].includes(termOf(part).is));
  return [
    fieldRow("status", "Status", parseQuery(query).status, { choices: STATUSES }),
    fieldRow("owner", "Owner", values("owner").at(-1) ?? "", { complete: "wanted-owner" }),
    fieldRow("author", "Author", values("author").at(-1) ?? "", { complete: "author" }),
    fieldRow("search", "Search", words.join(" ")),
    fieldRow("labels", "Labels", labels.join(" "), { complete: "wanted-label" }),
    fieldRow("priority", "Priority", priority.at(-1) ?? "", { complete: "wanted-priority" }),
    fieldRow("project", "Project", values("project").at(-1) ?? "", { complete: "project" }),
    fieldRow("date", "Dates", parseQuery(query).date ?? ANY, {
      choices: [ANY, ...DATED_VIEWS],
    }),
    fieldRow("rel", "Links", parseQuery(query).relation ?? ANY, { choices: [ANY, ...RELATIONS] }),
  ];
}

const ANY = "any";

/** For each field with choices, its value in an empty filter. */
const UNFILTERED: ReadonlyMap<string, string> = new Map([
  ["status", parseQuery("").status],
  ["date", ANY],
  ["rel", ANY],
]);

/** The filter changes no issue, so the form sends nothing. `onFilterKey` applies the filter. */
export const FILTER_FORM: FormRecord<"filter"> = {
  isNoDraft: true,
  writes: () => [],
  key: onFilterKey,
};

/** Handles the keys that work differently in this form than in other forms. Returns `undefined` for all other keys. */
function onFilterKey(state: State, dialog: FormDialog, key: string): Step | undefined {
  const { name, choices } = dialog.fields[dialog.focus] ?? { name: "" };
  const isChoice = choices !== undefined;
  const usual = UNFILTERED.get(name) ?? "";
  switch (key) {
    case "enter":
      return takesSuggestion(state, dialog, "enter") ? undefined : apply(state, dialog);
    case "ctrl+s":
    case "ctrl+o":
      return apply(state, dialog);
    case "esc":
      return step({ ...state, dialog: undefined });
    case "ctrl+r":
      return step({
        ...state,
        dialog: { ...dialog, fields: fieldsOf(NO_FILTER), error: undefined },
      });
    case "ctrl+u":
      if (!isChoice) return undefined;
      return step({
        ...state,
        dialog: { ...dialog, fields: changedField(dialog, { value: fieldOf(usual) }) },
      });
    default:
      return undefined;
  }
}

function apply(state: State, dialog: FormDialog): Step {
  const value = (name: string): string => valueIn(dialog, name);
  const priority = value("priority").toLowerCase().replace(/^p/, "");
  if (priority !== "" && termOf(`p${priority}`).is !== "priority") {
    const error = "the priority is 0 to 4, or <=1, or >=3";
    const focus = dialog.fields.findIndex(({ name }) => name === "priority");
    return step({ ...state, dialog: { ...dialog, error, focus } });
  }
  const labels = value("labels")
    .split(/[\s,]+/)
    .filter((label) => label !== "" && label !== "-")
    .map((label) => (label.startsWith("-") ? `-label:${label.slice(1)}` : `label:${label}`));
  const named = (["owner", "author", "project"] as const).flatMap((name) =>
    value(name) === "" ? [] : [partWith(name, value(name))],
  );
  const level = priority === "" ? [] : [`p${/^\d/.test(priority) ? ":" : ""}${priority}`];
  const words = value("search") === "" ? [] : [value("search")];
  const chosen = (["date", "rel"] as const).flatMap((name) =>
    value(name) === ANY ? [] : [partWith(name, value(name))],
  );
  const query = [
    `status:${value("status")}`,
    ...chosen,
    ...named,
    ...labels,
    ...level,
    ...words,
  ].join(" ");
  return step(setQuery({ ...state, dialog: undefined }, query));
}
