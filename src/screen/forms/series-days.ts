import type { MessageOf } from "../message.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { DaysAsked, FormDialog } from "./dialog.ts";
import { valueIn } from "./forms.ts";

/** The days are computed when the person has not typed for this long. */
const REST_MS = 150;

/** Asks for the next days whenever the rule, the first day or the zone of an open form of a series has changed. */
export function askingDays(next: Step): Step {
  const { state, effects } = next;
  const { dialog } = state;
  if (dialog?.dialog !== "form") return next;
  const asked = askedBy(dialog);
  if (asked === undefined || isSame(asked, dialog.days?.asked)) return next;
  // The days of the previous rule stay in view until the new days are computed.
  const { days, goesOn = false } = dialog.days ?? {};
  const waiting = { ...dialog, days: { asked, days, goesOn, error: undefined } };
  const wait = dialog.days === undefined ? 0 : REST_MS;
  return {
    state: { ...state, dialog: waiting },
    effects: [...effects, { effect: "series-days", wait, ...asked }],
  };
}

/**
 * Stores the days of the series in its form. An answer is dropped if the form has another rule, first day or zone by
 * then.
 */
export function withDays(state: State, { asked, ...found }: MessageOf<"series-days">): State {
  const { dialog } = state;
  if (dialog?.dialog !== "form" || !isSame(asked, dialog.days?.asked)) return state;
  const { days, goesOn, error } = found;
  return { ...state, dialog: { ...dialog, days: { asked, days, goesOn, error } } };
}

/** One line about the next days of a series form; `undefined` for other forms. */
export function daysText({ kind, days: found }: FormDialog): string | undefined {
  if (found === undefined || (kind.form !== "series" && kind.form !== "new-series"))
    return undefined;
  const { days, goesOn, error } = found;
  if (error !== undefined) return error;
  if (days === undefined) return "computing the next days ...";
  if (days.length === 0) return "the rule gives no more days";
  return `next days: ${days.join(", ")}${goesOn ? " ..." : ", and none after"}`;
}

export const HOW_SERIES_GO =
  "each issue is made when the one before it is closed as done, for the day that comes next";

function askedBy(dialog: FormDialog): DaysAsked | undefined {
  const { kind } = dialog;
  if (kind.form !== "series" && kind.form !== "new-series") return undefined;
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
