import { badIssueValue } from "../../domain/reserved-keys.ts";
import type { FormProblem, FormRecord } from "../form.ts";
import type { Issue } from "../issues/issues.ts";
import type { State } from "../state.ts";
import { dateMeant } from "../times.ts";
import { trueIssue } from "../writes/optimism.ts";
import { atOf, type Patch } from "../writes/writes.ts";
import type { FormDialog } from "./dialog.ts";
import { aboutAll, fieldRow, formOf } from "./forms.ts";

const DATE_KEYS = ["scheduled_on", "deadline_on", "timezone"] as const;

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

export const DATES_FORM: FormRecord<"dates"> = {
  problem: invalidDate,
  writes: (state, dialog) => {
    const patch = datesIn(state, dialog);
    if (Object.keys(patch).length === 0) return [];
    return dialog.kind.uids
      .flatMap((uid) => trueIssue(state, uid) ?? [])
      .map((issue) => ({ act: "metadata", at: atOf(issue), patch }));
  },
};

/** The problem of the first invalid date. Its text has the form's label, since the daemon names fields differently. */
function invalidDate(state: State, { fields }: FormDialog): FormProblem | undefined {
  for (const { name, label, value, initial, hint } of fields) {
    const text = value.text.trim();
    if (hint === undefined || text === "" || text === initial) continue;
    if (badIssueValue(name, dateIn(state, name, text)) !== undefined)
      return { field: name, text: `${label}: ${hint}; "${text}" is none` };
  }
  return undefined;
}

function dateIn(state: State, name: string, text: string): string {
  return name === "timezone" ? text : dateMeant(state, text);
}

function datesIn(state: State, { fields }: FormDialog): Patch {
  const patch: Record<string, string | boolean | null> = {};
  for (const { name, value, initial } of fields) {
    const text = value.text.trim();
    if (text === initial) continue;
    if (DATE_KEYS.some((key) => key === name))
      patch[name] = text === "" ? null : dateIn(state, name, text);
    if (name === "someday") patch[name] = text === "yes" ? true : null;
  }
  return patch;
}
