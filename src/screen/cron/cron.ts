import { instantToMs } from "../../base/clock.ts";
import { MAX_PREVIEW } from "../../contract/limits.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import type { Effect } from "../effect.ts";
import type { LiveEvent, MessageOf } from "../message.ts";
import { clamp, cycle, rowToKeep } from "../scroll.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import {
  CRON_TABS,
  type CronJob,
  type CronScreenTab,
  type CronState,
  type LastRuns,
} from "./state.ts";
import { shownJobs } from "./toggles.ts";
import { scrollPage } from "./version-page.ts";

/** How many due times one page of a preview contains. */
export const PREVIEW_PAGE = 50;
/** When the cursor has rested on a job for this long, the job's last runs are read. */
const REST_MS = 80;

/**
 * Reads the tab that is shown, with at least as many rows as it has now. Jobs and runs belong to one project, so
 * nothing is read while all projects are shown.
 */
export function loadCron(state: State, wait = 0): readonly Effect[] {
  const { cron } = state;
  const { scope } = state;
  if (scope.project === undefined || cron.unsupported) return [];
  const { tab } = cron;
  const project_id = scope.project.id;
  const job = hasLedger(cron) || tab !== "ledger" ? cron.job?.uid : undefined;
  const shown = cronCount(state);
  return [{ effect: "load-cron", project_id, tab, job, shown, wait }, ...loadLastRuns(state, wait)];
}

/**
 * Whether one of the events may change the cron screen. Events of a job's parent count too, because the parent's state
 * can stop the job.
 */
export function touchesCron(
  { screen, cron }: Pick<State, "screen" | "cron">,
  events: readonly LiveEvent[],
): boolean {
  if (screen !== "cron") return false;
  const parents = new Set((cron.jobs ?? []).map(({ definition }) => nativeParentOf(definition)));
  return events.some(
    ({ kind, uid }) =>
      kind.startsWith("cron.") ||
      kind.startsWith("recurrence.") ||
      (uid !== undefined && parents.has(uid)),
  );
}

function loadLastRuns(state: State, wait: number): readonly Effect[] {
  const { scope } = state;
  const job = jobUnderCursor(state)?.uid;
  if (scope.project === undefined || job === undefined) return [];
  return [{ effect: "load-job-runs", project_id: scope.project.id, job, wait }];
}

/** Stores the last runs of the job under the cursor. An answer about a job that the cursor has left is dropped. */
export function withLastRuns(state: State, { job, runs, error }: LastRuns): State {
  const here = jobUnderCursor(state)?.uid ?? job;
  return here === job ? withSlice(state, "cron", { lastRuns: { job, runs, error } }) : state;
}

export function openCron(state: State): Step {
  const next = { ...toScreen(state, "cron"), cron: { ...state.cron, page: undefined } };
  return step(next, ...loadCron(next));
}

export function openSeries(state: State): Step {
  const next = { ...toScreen(state, "cron"), cron: { ...state.cron, page: undefined } };
  return showTab(next, "series");
}

export function toTab(state: State, by: 1 | -1): Step {
  return showTab(state, cycle(CRON_TABS, state.cron.tab, by));
}

/**
 * Shows a tab. The cursor returns to the row that it was on when the tab was left. The error of the previous tab is
 * dropped.
 */
export function showTab(state: State, tab: CronScreenTab, change: Partial<CronState> = {}): Step {
  const { cron } = state;
  const places = { ...cron.places, [cron.tab]: rowKeys(cron)[cron.cursor] };
  const before = tabsBefore(cron, tab);
  const there = { ...cron, before, ...change, tab, places, error: undefined };
  const at = rowKeys(there).indexOf(places[tab] ?? "");
  const next = { ...state, cron: { ...there, cursor: Math.max(0, at) } };
  return step(next, ...loadCron(next));
}

/**
 * The tabs to which `back` leads from `tab`. From the ledger and the preview of a job, `back` leads to the tab from
 * which they were opened, even after a switch between the two. From other tabs it leads nowhere.
 */
function tabsBefore(
  { tab: from, before }: CronState,
  tab: CronScreenTab,
): readonly CronScreenTab[] {
  if (!isOfJob(tab)) return [];
  return isOfJob(from) ? before.filter((one) => one !== tab) : [from];
}

function isOfJob(tab: CronScreenTab): boolean {
  return tab === "ledger" || tab === "preview";
}

export function backInCron(state: State): Step | undefined {
  const { before } = state.cron;
  const tab = before.at(-1);
  return tab === undefined ? undefined : showTab(state, tab, { before: before.slice(0, -1) });
}

function rowKeys(cron: CronState): readonly string[] {
  switch (cron.tab) {
    case "runs":
    case "jobs":
    case "workflows":
    case "series":
      return cron[cron.tab]?.map(({ uid }) => uid) ?? [];
    case "ledger":
      return cron.ledger?.entries.map(({ at }) => at) ?? [];
    case "preview":
      return cron.preview?.occurrences.map(({ at }) => at) ?? [];
  }
}

export function cronCount({ cron }: Pick<State, "cron">): number {
  return rowKeys(cron).length;
}

export function hasMore({ tab, more, ledger, preview }: CronState): boolean {
  if (tab === "runs") return more !== undefined;
  if (tab === "ledger") return ledger?.next_before !== undefined;
  const count = preview?.occurrences.length ?? 0;
  return tab === "preview" && count > 0 && count % PREVIEW_PAGE === 0 && count < MAX_PREVIEW;
}

/** Moves the cursor. A move down from the last row reads more rows. */
export function moveInCron(state: State, by: number): Step {
  if (state.cron.page !== undefined) return step(scrollPage(state, by));
  const count = cronCount(state);
  const cursor = clamp(state.cron.cursor + by, count);
  const next = withSlice(state, "cron", { cursor });
  const isAtEnd = by > 0 && state.cron.cursor === Math.max(0, count - 1);
  if (isAtEnd && hasMore(state.cron)) return step(next, ...loadMore(next));
  const isOther = jobUnderCursor(next)?.uid !== jobUnderCursor(state)?.uid;
  return step(next, ...(isOther ? loadLastRuns(next, REST_MS) : []));
}

function loadMore({ cron, scope }: State): readonly Effect[] {
  const { tab, job } = cron;
  if (scope.project === undefined) return [];
  const { id: project_id } = scope.project;
  if (tab === "runs" && cron.more !== undefined)
    return [{ effect: "load-older", project_id, tab, job: undefined, before: cron.more }];
  const before = cron.ledger?.next_before;
  if (tab === "ledger" && before !== undefined)
    return [{ effect: "load-older", project_id, tab, job: job?.uid, before }];
  const shown = (cron.preview?.occurrences.length ?? 0) + PREVIEW_PAGE;
  return [{ effect: "load-cron", project_id, tab, job: job?.uid, shown, wait: 0 }];
}

/** Shows the ledger or the preview of the job under the cursor, else of the job that was chosen last. */
export function ofJob(state: State, tab: "ledger" | "preview"): Step {
  const { cron } = state;
  const chosen = jobUnderCursor(state);
  const job = chosen === undefined ? cron.job : { uid: chosen.uid, name: chosen.name };
  if (job === undefined) return step(state);
  const way = cron.before.filter((one) => one !== tab);
  const before = cron.tab === tab ? way : [...way, cron.tab];
  if (job.uid === cron.job?.uid) return showTab(state, tab, { before });
  const { ledger: _of, preview: _another, ...places } = cron.places;
  const fresh = { job, before, ledger: undefined, preview: undefined };
  return showTab({ ...state, cron: { ...cron, places } }, tab, fresh);
}

/** Whether the job may have a ledger. svc keeps ledgers only for native jobs. */
export function hasLedger({ job, jobs }: Pick<CronState, "job" | "jobs">): boolean {
  const definition = jobs?.find(({ uid }) => uid === job?.uid)?.definition;
  return definition === undefined || nativeParentOf(definition) !== null;
}

export function jobUnderCursor(state: Pick<State, "cron" | "writes">): CronJob | undefined {
  return state.cron.tab === "jobs" ? shownJobs(state)[state.cron.cursor] : undefined;
}

export function cronIssue({ cron }: State): string | undefined {
  if (cron.tab === "runs") return cron.runs?.[cron.cursor]?.issue_uid;
  if (cron.tab === "series") return cron.series?.[cron.cursor]?.last_materialized_uid;
  return cron.tab === "ledger" ? cron.ledger?.entries[cron.cursor]?.child_uid : undefined;
}

/** Applies the change and keeps the cursor on its row. An older version of a job never replaces a newer one. */
export function withCron(state: State, change: Partial<CronState>): State {
  const key = rowKeys(state.cron)[state.cron.cursor];
  const jobs = change.jobs?.map((job) => {
    const known = state.cron.jobs?.find(({ uid }) => uid === job.uid);
    return known !== undefined && known.revision > job.revision ? known : job;
  });
  const cron = { ...state.cron, ...change, ...(jobs === undefined ? {} : { jobs }) };
  const cursor = rowToKeep(rowKeys(cron), cron.cursor, (one) => one === key);
  return { ...state, cron: { ...cron, cursor } };
}

export function withJob(state: State, job: CronJob): State {
  const jobs = state.cron.jobs?.map((one) => (one.uid === job.uid ? job : one));
  return jobs === undefined ? state : withCron(state, { jobs });
}

/**
 * Stores an answer of the daemon. Drops what the person no longer looks at:
 *
 * - an answer about another project
 * - the ledger or the preview of another job
 * - an error about another job or another tab
 */
export function onCronAnswer(
  state: State,
  { cron: answer, project_id, tab, job, older }: MessageOf<"cron">,
): Step {
  const { cron } = state;
  const { scope } = state;
  if (project_id !== undefined && project_id !== scope.project?.id) return step(state);
  const { ledger, preview, error, ...rest } = answer;
  const chosen = (answer.job ?? cron.job)?.uid;
  const isAsked = (tab ?? cron.tab) === cron.tab && (job ?? chosen) === chosen;
  const change: Partial<CronState> = {
    ...rest,
    ...(ledger?.job.uid === chosen && ledger !== undefined ? { ledger } : {}),
    ...(preview?.job.uid === chosen && preview !== undefined ? { preview } : {}),
    ...(isAsked && "error" in answer ? { error } : {}),
  };
  const next = withCron(state, older === undefined ? change : withOlder(cron, change, older));
  const known = cron.lastRuns?.job;
  const isOther = next.cron.jobs !== cron.jobs && jobUnderCursor(next)?.uid !== known;
  const wake = preview === undefined ? [] : wakeForPreview(next);
  return step(next, ...wake, ...(isOther && state.screen === "cron" ? loadLastRuns(next, 0) : []));
}

/** Reads the preview again when the first of its due times is past. */
export function rereadPreview(state: State): Step {
  const { cron, screen, now } = state;
  const first = nextOf(state);
  if (screen !== "cron" || first === undefined || first > instantToMs(now)) return step(state);
  const project_id = state.scope.project?.id;
  if (project_id === undefined) return step(state);
  const shown = cron.preview?.occurrences.length ?? 0;
  const { tab, job } = cron;
  return step(state, { effect: "load-cron", project_id, tab, job: job?.uid, shown, wait: 0 });
}

function wakeForPreview(state: State): readonly Effect[] {
  const first = nextOf(state);
  if (first === undefined) return [];
  const ms = first - instantToMs(state.now);
  return ms > 0 && ms <= LONGEST_WAKE_MS ? [{ effect: "wake", ms }] : [];
}

/**
 * The longest wait for the first due time of a preview. A due time further away gets no timer, because nobody looks at
 * one preview for more than a day.
 */
const LONGEST_WAKE_MS = 86_400_000;

function nextOf({ cron: { tab, preview } }: State): number | undefined {
  const [first] = tab === "preview" ? (preview?.occurrences ?? []) : [];
  return first === undefined ? undefined : instantToMs(first.at);
}

/** Appends the older rows of an answer. If they have been appended already, adds nothing. */
export function withOlder(
  { runs = [], more, ledger }: Partial<CronState>,
  change: Partial<CronState>,
  before: string,
): Partial<CronState> {
  if (change.runs !== undefined)
    return more === before ? { ...change, runs: [...runs, ...change.runs] } : {};
  if (change.ledger === undefined) return change;
  if (ledger?.next_before !== before) return {};
  return {
    ...change,
    ledger: { ...change.ledger, entries: [...ledger.entries, ...change.ledger.entries] },
  };
}
