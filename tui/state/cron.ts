import { clamp } from "../scroll.ts";
import { CRON_TABS, type CronState, type CronTab } from "./slices.ts";
import type { State } from "./state.ts";
import { type Effect, hint, type Step, step } from "./step.ts";

/** What the tab needs of the daemon; definitions and runs belong to one project. */
export function loadCron({ cron, scope }: State, wait = 0): readonly Effect[] {
  if (scope.project === undefined || cron.unsupported) return [];
  const { tab, job } = cron;
  return [{ effect: "load-cron", project_id: scope.project.id, tab, job: job?.uid, wait }];
}

export function openCron(state: State): Step {
  const next: State = { ...state, screen: "cron", open: [], focus: "list" };
  return step(next, ...loadCron(next));
}

export function toTab(state: State, by: 1 | -1): Step {
  const at = CRON_TABS.indexOf(state.cron.tab);
  const tab = CRON_TABS[(at + by + CRON_TABS.length) % CRON_TABS.length] ?? "runs";
  return onTab(state, { tab });
}

function onTab(state: State, change: Partial<CronState>): Step {
  const next = { ...state, cron: { ...state.cron, cursor: 0, ...change } };
  return step(next, ...loadCron(next));
}

export function cronCount({ cron }: Pick<State, "cron">): number {
  const rows: Readonly<Record<CronTab, readonly unknown[] | undefined>> = {
    jobs: cron.jobs,
    workflows: cron.workflows,
    runs: cron.runs,
    ledger: cron.ledger?.entries,
    preview: cron.preview?.occurrences,
  };
  return rows[cron.tab]?.length ?? 0;
}

/** Down on the last run loads the page behind it. */
export function moveInCron(state: State, by: number): Step {
  const { cron, scope } = state;
  const last = Math.max(0, cronCount(state) - 1);
  const cursor = clamp(cron.cursor + by, cronCount(state));
  const next = { ...state, cron: { ...cron, cursor } };
  const wantsMore =
    cron.tab === "runs" && by > 0 && cron.cursor === last && cron.more !== undefined;
  if (!wantsMore || scope.project === undefined) return step(next);
  const { more: before } = cron;
  return step(next, { effect: "load-runs", project_id: scope.project.id, before });
}

/** Enter on a job shows what became of its times, `p` which come next; on a run it opens its issue. */
export function ofJob(state: State, tab: "ledger" | "preview"): Step {
  const { cron } = state;
  const chosen = cron.tab === "jobs" ? cron.jobs?.[cron.cursor] : undefined;
  const job = chosen === undefined ? cron.job : { uid: chosen.uid, name: chosen.name };
  if (job === undefined) return hint(state, "choose a job first: tab to Jobs");
  return onTab(state, { tab, job, ledger: undefined, preview: undefined });
}

/** The issue that the row under the cursor is about. */
export function cronIssue({ cron }: State): string | undefined {
  if (cron.tab === "runs") return cron.runs?.[cron.cursor]?.issue_uid;
  return cron.tab === "ledger" ? cron.ledger?.entries[cron.cursor]?.child_uid : undefined;
}

export function withCron(state: State, change: Partial<CronState>): State {
  const next = { ...state, cron: { ...state.cron, ...change } };
  return { ...next, cron: { ...next.cron, cursor: clamp(next.cron.cursor, cronCount(next)) } };
}
