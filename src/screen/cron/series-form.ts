import type { FormDialog, FormDialogOf, FormField } from "../forms/dialog.ts";
import { fieldRow, formOf, valueIn } from "../forms/forms.ts";
import { versionOf } from "../screen.ts";
import type { State } from "../state.ts";
import type { At, SeriesChange, Write } from "../writes/writes.ts";
import type { Series } from "./state.ts";

export const NO_PRIORITY = "-";

export function ruleFields({ rrule, dtstart, timezone }: Timing): readonly FormField[] {
  return [
    fieldRow("rrule", "Rule", rrule, {
      hint: "such as FREQ=WEEKLY;BYDAY=MO,TH",
      complete: "rule",
    }),
    fieldRow("dtstart", "First day", dtstart, { hint: "a day like 2026-11-24" }),
    fieldRow("timezone", "Time zone", timezone, { hint: "a name like Europe/Berlin" }),
  ];
}

type Timing = Pick<Series, "rrule" | "dtstart" | "timezone">;

interface Template {
  readonly title: string;
  readonly body: string;
  readonly owner: string;
  readonly priority?: number | undefined;
  readonly labels: string;
}

export function templateFields(given: Template): readonly FormField[] {
  return [
    fieldRow("title", "Title", given.title),
    fieldRow("body", "Body", given.body, { lines: 6 }),
    fieldRow("owner", "Owner", given.owner, { complete: "owner" }),
    fieldRow("priority", "Priority", given.priority?.toString() ?? NO_PRIORITY, {
      choices: [NO_PRIORITY, "0", "1", "2", "3", "4"],
    }),
    fieldRow("labels", "Labels", given.labels, { complete: "label" }),
  ];
}

/**
 * The form for the rule and the template of a series. Changes apply to issues that the series creates later; existing
 * issues stay as they are.
 */
export function seriesForm(state: State, series: Series, id: number): FormDialog {
  const project = state.scope.project?.name ?? "";
  const { revision, template_priority: priority } = series;
  const kind = {
    form: "series",
    series: { at: seriesAt(series), project, revision, ...lastDay(state, series) },
    force: false,
  } as const;
  return formOf(id, kind, `edit the series "${series.template_title}"`, [
    ...ruleFields(series),
    ...templateFields({
      title: series.template_title,
      body: series.template_body,
      owner: series.template_owner ?? "",
      priority,
      labels: series.template_labels.join(" "),
    }),
  ]);
}

/**
 * The day for which the newest issue of the series is scheduled. A changed rule applies only to later days, so the form
 * shows only later days.
 */
function lastDay({ issues }: State, { last_materialized_uid: uid }: Series): { last?: string } {
  const day = issues.get(uid ?? "")?.metadata["scheduled_on"];
  return typeof day === "string" ? { last: day.slice(0, 10) } : {};
}

/**
 * Returns the first required field that is empty, with the text that says so; `undefined` if no required field is
 * empty. The daemon checks whether the values are valid.
 */
export function emptySeries(dialog: FormDialog) {
  const empty = dialog.fields.find(
    ({ name }) => NEEDED.includes(name) && valueIn(dialog, name) === "",
  );
  if (empty === undefined) return undefined;
  return { field: empty.name, text: `${empty.label} is empty: a series needs it` };
}

const NEEDED: readonly string[] = ["rrule", "dtstart", "timezone", "title"];

export function seriesWrites(state: State, dialog: FormDialogOf<"series">): readonly Write[] {
  const { series, force } = dialog.kind;
  const change = changeIn(dialog);
  if (Object.keys(change).length === 0) return [];
  const now = versionOf(state, series.at.uid);
  const revision = force && typeof now === "number" ? now : series.revision;
  return [{ act: "edit-series", at: series.at, project: series.project, change, revision }];
}

function changeIn({ fields }: FormDialog): SeriesChange {
  const changed = new Map(
    fields.flatMap(({ name, value: { text }, initial }) =>
      text.trimEnd() === initial.trimEnd() ? [] : [[name, text.trim()] as const],
    ),
  );
  const text = (name: "rrule" | "dtstart" | "timezone" | "title" | "body") => {
    const value = changed.get(name);
    return value === undefined ? {} : { [name]: value };
  };
  const owner = changed.get("owner");
  const priority = changed.get("priority");
  const labels = changed.get("labels");
  return {
    ...text("rrule"),
    ...text("dtstart"),
    ...text("timezone"),
    ...text("title"),
    ...text("body"),
    ...(owner === undefined ? {} : { owner: owner === "" ? null : owner }),
    ...(priority === undefined
      ? {}
      : { priority: priority === NO_PRIORITY ? null : Number(priority) }),
    ...(labels === undefined ? {} : { labels: labels.split(/[\s,]+/).filter(Boolean) }),
  };
}

export function seriesAt({ uid, project_id, template_title: name }: Series): At {
  return { uid, project_id, ref: uid, name };
}
