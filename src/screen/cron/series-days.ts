import type { FormDialog, FormDialogOf } from "../forms/dialog.ts";
import { valueIn } from "../forms/forms.ts";
import type { MessageOf } from "../message.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { DaysAsked, SeriesDays } from "./state.ts";

/** The days are computed when the person has not typed for this long. */
const REST_MS = 150;

/** Asks for the next days whenever the rule, the first day or the zone of an open form of a series has changed. */
export function requestDays(state: State, dialog: SeriesForm): Step {
  const wanted = daysWanted(dialog);
  const { days: current } = dialog.kind;
  if (isSame(wanted, current?.asked)) return step(state);
  // The days of the previous rule stay in view until the new days are computed.
  const { days, goesOn = false } = current ?? {};
  const waiting = withDays(dialog, { asked: wanted, days, goesOn, error: undefined });
  const wait = current === undefined ? 0 : REST_MS;
  return step({ ...state, dialog: waiting }, { effect: "series-days", wait, ...wanted });
}

type SeriesForm = FormDialogOf<"series"> | FormDialogOf<"new-series">;

function isSeriesForm(dialog: State["dialog"]): dialog is SeriesForm {
  return (
    dialog?.dialog === "form" &&
    (dialog.kind.form === "series" || dialog.kind.form === "new-series")
  );
}

function withDays(dialog: SeriesForm, days: SeriesDays): FormDialog {
  return { ...dialog, kind: { ...dialog.kind, days } };
}

/**
 * Stores the days of the series in its form. An answer is dropped if the form has another rule, first day or zone by
 * then.
 */
export function withFoundDays(
  state: State,
  { asked, days, goesOn, error }: MessageOf<"series-days">,
): State {
  const { dialog } = state;
  if (!isSeriesForm(dialog) || !isSame(asked, dialog.kind.days?.asked)) return state;
  return { ...state, dialog: withDays(dialog, { asked, days, goesOn, error }) };
}

/** One line about the next days of a series form; `undefined` for other forms. */
export function daysText(dialog: FormDialog): string | undefined {
  const found = isSeriesForm(dialog) ? dialog.kind.days : undefined;
  if (found === undefined) return undefined;
  const { days, goesOn, error } = found;
  if (error !== undefined) return error;
  if (days === undefined) return "computing the next days ...";
  if (days.length === 0) return "the rule gives no more days";
  return `next days: ${days.join(", ")}${goesOn ? " ..." : ", and none after"}`;
}

export const HOW_SERIES_GO =
  "each issue is made when the one before it is closed as done, for the day that comes next";

function daysWanted(dialog: SeriesForm): DaysAsked {
  const { kind } = dialog;
  const [rrule, dtstart] = [valueIn(dialog, "rrule"), valueIn(dialog, "dtstart")];
  const after = kind.form === "series" ? kind.series.last : undefined;
  return { rrule, dtstart, timezone: valueIn(dialog, "timezone"), after };
}

function isSame(one: DaysAsked, other: DaysAsked | undefined): boolean {
  return (
    one.rrule === other?.rrule &&
    one.dtstart === other.dtstart &&
    one.timezone === other.timezone &&
    one.after === other.after
  );
}
