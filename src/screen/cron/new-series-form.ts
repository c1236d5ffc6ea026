import { todayAt } from "../../domain/planning-days.ts";
import type { FormProject } from "../form.ts";
import type { FormDialog, FormDialogOf } from "../forms/dialog.ts";
import { fieldRow, formOf, keyOf, valueIn } from "../forms/forms.ts";
import type { State } from "../state.ts";
import type { Write } from "../writes/writes.ts";
import { NO_PRIORITY, ruleFields, templateFields } from "./series-form.ts";

/** The form for a new series. At first it describes a series that begins today and repeats every week. */
export function newSeriesForm(state: State, project: FormProject, id: number): FormDialog {
  const timezone = state.preferences.zone;
  const dtstart = todayAt(state.now, timezone).local_date;
  const kind = { form: "new-series", project, key: keyOf(state, id) } as const;
  const [title, ...others] = templateFields({ title: "", body: "", owner: "", labels: "" });
  return formOf(id, kind, "new series", [
    ...(title === undefined ? [] : [title]),
    ...ruleFields({ rrule: "FREQ=WEEKLY", dtstart, timezone }),
    fieldRow("first", "First issue", "", {
      complete: "ref",
      hint: "an open issue to begin with; empty makes one",
    }),
    ...others,
  ]);
}

export function newSeriesWrite(dialog: FormDialogOf<"new-series">): Write {
  const { project, key } = dialog.kind;
  const value = (name: string): string => valueIn(dialog, name);
  const [rrule, dtstart, timezone] = [value("rrule"), value("dtstart"), value("timezone")];
  const [title, priority] = [value("title"), value("priority")];
  const template = {
    title,
    body: value("body"),
    owner: value("owner") || undefined,
    priority: priority === NO_PRIORITY ? undefined : Number(priority),
    labels: value("labels")
      .split(/[\s,]+/)
      .filter(Boolean),
  };
  const first = value("first").split(" ", 1)[0] || undefined;
  const at = { uid: key, project_id: project.id, ref: key, name: title };
  const series = { rrule, dtstart, timezone, template, first };
  return { act: "create-series", at, project: project.name, series };
}
