import { SvcError } from "../../contract/errors.ts";
import { checkSeries } from "../../domain/recurrences/check.ts";
import { weekdayOf } from "../../domain/recurrences/days.ts";
import { checkedTiming, type Timing } from "../../domain/recurrences/definition.ts";
import type { Transport } from "../../shared/transport.ts";
import type { EffectOf } from "../effect.ts";
import type { MessageOf } from "../message.ts";
import type { Write } from "../writes/writes.ts";
import { seriesRefusal } from "./failures.ts";

/** How many days a form shows. */
const DAYS = 5;

/** Computes the next days as the daemon would, without a request to the daemon. */
export async function readSeriesDays(
  _daemon: Transport,
  { rrule, dtstart, timezone, after }: EffectOf<"series-days">,
): Promise<MessageOf<"series-days">> {
  const about = { type: "series-days", asked: { rrule, dtstart, timezone, after } } as const;
  try {
    const days = await daysOf(checkedTiming({ rrule, dtstart, timezone }), after);
    const goesOn = days.length > DAYS;
    const shown = days.slice(0, DAYS).map(dayText);
    return { ...about, days: shown, goesOn, error: undefined };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { ...about, days: undefined, goesOn: false, error: seriesRefusal(error.message) };
  }
}

/** Computes one day more than is shown. If there is such a day, the series goes on after the days that are shown. */
async function daysOf(timing: Timing, after: string | undefined): Promise<readonly string[]> {
  const { firstKey, keyAfter } = await import("../../domain/recurrences/occurrences.ts");
  const days: string[] = [];
  let day = after === undefined ? firstKey(timing) : keyAfter(timing, after);
  while (day !== undefined && days.length <= DAYS) {
    days.push(day);
    day = keyAfter(timing, day);
  }
  return days;
}

const NAMES = { MO: "Mon", TU: "Tue", WE: "Wed", TH: "Thu", FR: "Fri", SA: "Sat", SU: "Sun" };

function dayText(day: string): string {
  const weekday = weekdayOf(day);
  return weekday === undefined ? day : `${NAMES[weekday]} ${day}`;
}

/**
 * Creates a series with its first issue, as `svc recurrence create` does. The series is checked by the daemon's rules
 * before the first issue is made.
 */
export async function createSeries(
  daemon: Transport,
  actor: string,
  { at, series }: Extract<Write, { act: "create-series" }>,
): Promise<void> {
  const { template, first, ...timing } = series;
  const { labels, ...texts } = template;
  await checkSeries(timing, { ...texts, labels: [...labels] });
  const params = { project_id: at.project_id };
  const initial_issue_ref = first ?? (await firstIssue(daemon, actor, { at, series }));
  await daemon.call("createRecurrence", {
    params,
    body: { ...timing, template: { ...texts, labels: [...labels] }, initial_issue_ref, actor },
  });
}

/** Creates the first issue without the check for similar issues, because all issues of a series are similar. */
async function firstIssue(
  daemon: Transport,
  actor: string,
  { at, series: { template } }: Pick<Extract<Write, { act: "create-series" }>, "at" | "series">,
): Promise<string> {
  const labels = template.labels.map((label) => label.trim().toLowerCase());
  const { issue } = await daemon.call("createIssue", {
    params: { project_id: at.project_id },
    headers: { "idempotency-key": at.uid },
    body: { ...template, labels, force_new: true, actor },
  });
  return issue.short_id;
}
