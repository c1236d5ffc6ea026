import type { ReactElement } from "react";
import { age } from "../../../src/base/age.ts";
import { instantToMs } from "../../../src/base/clock.ts";
import { stepCount } from "../../../src/screen/cron/definition.ts";
import {
  definitionOf,
  jobState,
  runDuration,
  runTokens,
  whyHeld,
} from "../../../src/screen/cron/facts.ts";
import { shownJobs } from "../../../src/screen/cron/toggles.ts";
import type { State } from "../../../src/screen/state.ts";
import { timeText, wallTimeAhead } from "../../../src/screen/times.ts";
import { Cell } from "../lines.tsx";
import { Person } from "../words.tsx";

export interface CronLine {
  readonly key: string;
  /** The state, such as `on`, `failed` or `delivered`. A dot before it shows the state by colour. */
  readonly is: string;
  readonly name: string;
  readonly more: readonly string[];
  readonly who?: string;
  readonly when: string;
}

export function cronLines(state: State): readonly CronLine[] {
  const { cron, preferences } = state;
  switch (cron.tab) {
    case "runs":
      return runLines(state);
    case "jobs":
      return shownJobs(state).map((job) => {
        const { trigger, action } = definitionOf(job);
        const held = whyHeld(job)?.replaceAll("_", " ") ?? "";
        const more = [trigger, action, held];
        return {
          key: job.uid,
          is: jobState(job),
          name: job.name,
          more,
          when: timeText(state, job.updated_at),
        };
      });
    case "workflows":
      return (cron.workflows ?? []).map(({ uid, name, definition, updated_at }) => {
        const more = [`${stepCount(definition)} steps`];
        return { key: uid, is: "", name, more, when: timeText(state, updated_at) };
      });
    case "series":
      return (cron.series ?? []).map((series) => ({
        key: series.uid,
        is: series.next_occurrence_key === null ? "ended" : "",
        name: series.template_title,
        more: [series.rrule],
        ...(series.template_owner === undefined ? {} : { who: series.template_owner }),
        when: series.next_occurrence_key === null ? "" : `next ${series.next_occurrence_key}`,
      }));
    case "ledger":
      return (cron.ledger?.entries ?? []).map(
        ({ at, outcome, policy, late_seconds: late, child_short_id: child, held }) => ({
          key: at,
          is: policy === undefined ? outcome : `${outcome} by ${policy}`,
          name: wallTimeAhead(at, preferences.zone),
          more: [child ?? "", held ?? ""],
          when: late === undefined ? "" : `${age(0, late * 1000)} late`,
        }),
      );
    case "preview":
      return (cron.preview?.occurrences ?? []).map(({ at, local, offset, offset_changed }) => ({
        key: at,
        is: "",
        name: `${local.replace("T", " ")} ${offset}`,
        more: [offset_changed ? "the clock has changed" : ""],
        when: `here ${wallTimeAhead(at, preferences.zone)}`,
      }));
  }
}

function runLines(state: State): readonly CronLine[] {
  const { cron, issues, now } = state;
  return (cron.runs ?? []).map((run) => {
    const job = cron.jobs?.find(({ uid }) => uid === run.job_uid)?.name;
    const issue = run.issue_uid === undefined ? undefined : issues.get(run.issue_uid);
    const tokens = runTokens(run);
    const more = [
      issue === undefined ? "" : issue.short_id,
      runDuration(run, instantToMs(now)),
      tokens === "-" ? "" : `${tokens} tokens`,
    ];
    const when = timeText(state, run.started_at ?? run.created_at);
    const name = job ?? run.job_uid ?? run.uid;
    return { key: run.uid, is: run.status, name, more, who: run.actor, when };
  });
}

export function CronCells({ line }: { readonly line: CronLine }): ReactElement {
  const { is, name, more, who, when } = line;
  return (
    <>
      {is === "" ? null : (
        <Cell name="cron-is">
          <span data-is={is.split(" ")[0]}>{is.replaceAll("_", " ")}</span>
        </Cell>
      )}
      <Cell name="title">
        <span className="text">{name}</span>
      </Cell>
      {more.some((text) => text !== "" && text !== "-") ? (
        <Cell name="more-said wide">
          {more.filter((text) => text !== "" && text !== "-").join(" · ")}
        </Cell>
      ) : null}
      {who === undefined ? null : (
        <Cell name="owner wide">
          <Person name={who} />
        </Cell>
      )}
      <Cell name="cron-when">{when}</Cell>
    </>
  );
}
