import type { CommandHandlers } from "../command.ts";
import { shownProject, writeCommand } from "../commands/command-handler.ts";
import { openIssue } from "../detail/detail.ts";
import { openNewForm } from "../forms/forms.ts";
import { keyFor } from "../keymap.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { cronIssue, jobUnderCursor, ofJob, openCron, openSeries, toTab } from "./cron.ts";
import { newSeriesForm } from "./new-series-form.ts";
import { askSeriesDelete, seriesHere } from "./series.ts";
import { seriesForm } from "./series-form.ts";
import { toggleJob } from "./toggle-job.ts";
import { openVersions, whyNoVersion } from "./version-page.ts";

export const CRON_COMMANDS = {
  cron: { run: openCron },
  series: { run: openSeries },
  "cron-next-tab": { run: (state) => toTab(state, 1) },
  "cron-previous-tab": { run: (state) => toTab(state, -1) },
  "cron-open": {
    run: (state) =>
      state.cron.tab === "jobs" ? ofJob(state, "ledger") : openIssue(state, cronIssue(state)),
    why: (state) => {
      if (state.cron.tab === "jobs") return whyNoJob(state, "");
      return cronIssue(state) === undefined ? "there is no issue on this line" : undefined;
    },
  },
  "cron-preview": {
    run: (state) => ofJob(state, "preview"),
    why: (state) =>
      state.cron.job === undefined
        ? whyNoJob(state, `choose a job first: ${toJobs(state)}`)
        : undefined,
  },
  "cron-versions": { run: openVersions, why: whyNoVersion },
  "cron-toggle": writeCommand(
    {
      run: toggleJob,
      why: (state) => whyNoJob(state, `it turns a job on or off: ${toJobs(state)}`),
    },
    shownProject,
  ),
  "series-new": writeCommand(
    {
      run: (state) => {
        const { project } = state.scope;
        return project === undefined
          ? step(state)
          : openNewForm(state, (id) => newSeriesForm(state, project, id));
      },
      why: (state) =>
        state.scope.project === undefined
          ? `a series belongs to a project: ${keyFor(state, "projects")} chooses one`
          : undefined,
    },
    shownProject,
  ),
  "series-edit": writeCommand(
    {
      run: (state) => {
        const series = seriesHere(state);
        return series === undefined
          ? step(state)
          : openNewForm(state, (id) => seriesForm(state, series, id));
      },
      why: whyNoSeries,
    },
    shownProject,
  ),
  "series-delete": writeCommand({ run: askSeriesDelete, why: whyNoSeries }, shownProject),
} satisfies CommandHandlers;

function whyNoSeries(state: State): string | undefined {
  if (seriesHere(state) !== undefined) return undefined;
  return state.cron.tab === "series"
    ? "there is no series on this line"
    : `it is about a series: ${keyFor(state, "series")} shows them`;
}

/**
 * The key is looked up in the key table, because the browser page has another key for this command: on a page, Tab
 * moves the focus.
 */
function toJobs(state: State): string {
  return `${keyFor(state, "cron-next-tab")} to Jobs`;
}

function whyNoJob(state: State, elsewhere: string): string | undefined {
  if (jobUnderCursor(state) !== undefined) return undefined;
  return state.cron.tab === "jobs" ? "there is no job on this line" : elsewhere;
}
