import { invalid } from "../contract/errors.ts";
import { addDays } from "../domain/recurrences/days.ts";
import {
  checkedTiming,
  newTemplate,
  noDay,
  type Timing,
} from "../domain/recurrences/definition.ts";
import { arg, bodyFlags, integerFlag, listFlag, requiredFlag, textFlag } from "./flags.ts";

export const uidArg = {
  uid: arg("the uid of the series, as svc recurrence list shows it"),
};

export const timingFlags = {
  rrule: textFlag("the recurrence rule, such as FREQ=WEEKLY;BYDAY=MO,TH", "<rule>"),
  dtstart: textFlag("the day from which the rule counts", "<yyyy-mm-dd>"),
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

/** Refuses the change if the series has changed since it was read. */
export const requiredRevisionFlag = {
  "if-match": requiredFlag(
    "the revision that svc recurrence show printed; refused if it has changed",
    "<n|rev-n>",
  ),
};

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Refuses what the daemon would refuse, before the first issue is created; uses the daemon's own code. */
export async function checkSeries(
  timing: Timing,
  template: Parameters<typeof newTemplate>[0],
): Promise<{ readonly first: string }> {
  const checked = checkedTiming(timing);
  newTemplate(template);
  if (template.title.trim() === "") throw invalid("--title must not be blank");
  const { keyAfter } = await import("../domain/recurrences/occurrences.ts");
  const first = keyAfter(checked, addDays(checked.dtstart, -1));
  if (first === undefined) throw noDay();
  return { first };
}
