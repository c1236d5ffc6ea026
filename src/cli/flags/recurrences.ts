import { invalid } from "../../contract/errors.ts";
import { isIanaZone } from "../../domain/dates.ts";
import { checkSeries } from "../../domain/recurrences/check.ts";
import type { newTemplate, Timing } from "../../domain/recurrences/definition.ts";
import { dayOf } from "../../shared/moment.ts";
import { arg, bodyFlags, integerFlag, listFlag, requiredFlag, textFlag } from "./flags.ts";
import { hereAndNow } from "./when.ts";

export const uidArg = {
  uid: arg("the uid of the series, as svc recurrence list shows it"),
};

export const timingFlags = {
  rrule: textFlag("the recurrence rule, such as FREQ=WEEKLY;BYDAY=MO,TH", "<rule>"),
  dtstart: textFlag("the day from which the rule counts: 2026-09-28, tomorrow, mon", "<day>"),
  timezone: textFlag("the zone in which days begin and end, such as Europe/Berlin", "<zone>"),
};

export const templateFlags = {
  title: textFlag("the title of its issues", "<title>"),
  ...bodyFlags,
  owner: textFlag("who is to do them", "<owner>"),
  priority: integerFlag("0 (highest) to 4", "<0-4>"),
  label: listFlag("add this label to its issues; may be repeated", "<label>"),
  meta: listFlag("metadata of its issues; may be repeated", "<key=value>"),
};

export const requiredRevisionFlag = {
  "if-match": requiredFlag(
    "the revision that svc recurrence show printed; refused if it has changed",
    "<n|rev-n>",
  ),
};

/**
 * The day that a word such as `tomorrow` means in the time zone of the series. For an unknown zone it returns the word
 * unchanged; the daemon then refuses the series.
 */
export function startOf(dtstart: string, zone: string): string {
  if (!isIanaZone(zone)) return dtstart;
  return dayOf("--dtstart", dtstart, hereAndNow(zone), "ahead");
}

/**
 * Throws if the daemon would refuse this new series, which it checks with the same code as the daemon. Call it before
 * the first issue of the series is created.
 */
export async function checkNewSeries(
  timing: Timing,
  template: Parameters<typeof newTemplate>[0],
): Promise<{ readonly first: string }> {
  const checked = await checkSeries(timing, template);
  if (template.title.trim() === "") throw invalid("--title must not be blank");
  return checked;
}
