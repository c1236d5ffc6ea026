import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { seriesAt } from "./series-form.ts";
import type { Series } from "./state.ts";

export function seriesHere({ cron }: Pick<State, "cron">): Series | undefined {
  return cron.tab === "series" ? cron.series?.[cron.cursor] : undefined;
}

/** Asks before ending the series under the cursor, because a series that was ended does not come back. */
export function askSeriesDelete(state: State): Step {
  const series = seriesHere(state);
  const { project } = state.scope;
  if (series === undefined || project === undefined) return hint(state, "there is no series here");
  const text = `end the series "${series.template_title}"? No more issues come from it; those that are there stay`;
  const { revision } = series;
  const at = seriesAt(series);
  const write = { act: "delete-series", at, project: project.name, revision } as const;
  return step({ ...state, dialog: { dialog: "confirm", text, writes: [write] } });
}

export function seriesFacts(state: State): readonly string[] {
  const series = seriesHere(state);
  if (series === undefined) return [];
  const { rrule, dtstart, timezone, next_occurrence_key: next, last_materialized_uid } = series;
  const last = state.issues.get(last_materialized_uid ?? "");
  const labels = series.template_labels.join(" ");
  const priority = series.template_priority;
  return [
    `rule ${rrule}   from ${dtstart}   days of ${timezone}`,
    series.skips === undefined ? "" : `skips ${series.skips}`,
    next === null
      ? "the rule gives no more days"
      : `the issue for ${next} comes when the one before it is closed as done`,
    last === undefined ? "" : `last issue ${last.qualified_id}  ${last.title}  (${last.status})`,
    [
      ...(series.template_owner === undefined ? [] : [`owner ${series.template_owner}`]),
      ...(priority === undefined ? [] : [`P${priority}`]),
      ...(labels === "" ? [] : [`labels ${labels}`]),
    ].join("   "),
    `series ${series.uid}   revision ${series.revision}   by ${series.author}`,
  ].filter((line) => line !== "");
}
