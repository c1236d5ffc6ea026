import type { showCronJobLedger } from "../../../contract/cron-ledger.ts";
import { SvcError } from "../../../contract/errors.ts";
import { LEDGER_DEFAULT_LIMIT, MAX_PREVIEW, MAX_RUNS } from "../../../contract/limits.ts";
import type { Output } from "../../../contract/route.ts";
import type { Transport } from "../../../shared/transport.ts";
import { PREVIEW_PAGE } from "../../cron/cron.ts";
import type { CronState } from "../../cron/state.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";
import { statusOf, textOf } from "../failures.ts";

type Answer = MessageOf<"cron">;
export type CronRequest = EffectOf<"load-cron">;

/**
 * Reads the rows of a tab. For every tab except `series`, reads the jobs first, because these tabs show the names of
 * jobs.
 */
export async function* readCron(
  daemon: Transport,
  asked: CronRequest,
): AsyncGenerator<Answer, void, void> {
  const { project_id, tab, job } = asked;
  const about = { type: "cron", project_id, tab, job } as const;
  let isKnown = tab === "series";
  try {
    if (tab === "series") {
      yield { ...about, cron: { ...(await readTab(daemon, asked)), error: undefined } };
      return;
    }
    const { jobs } = await daemon.call("listCronJobs", { params: { project_id } });
    isKnown = true;
    yield { ...about, cron: { jobs, error: undefined } };
    if (tab !== "jobs") yield { ...about, cron: await readTab(daemon, asked) };
  } catch (error) {
    yield {
      ...about,
      cron: !isKnown && isMissing(error) ? { unsupported: true } : { error: textOf(error) },
    };
  }
}

/** Whether the daemon is too old to have cron routes. A missing project has an error code of its own. */
function isMissing(error: unknown): boolean {
  return (
    statusOf(error) === 404 && !(error instanceof SvcError && error.code === "project_not_found")
  );
}

async function readTab(
  daemon: Transport,
  { project_id, tab, job, shown }: CronRequest,
): Promise<Partial<CronState>> {
  const params = { project_id };
  if (tab === "runs") return await readRuns(daemon, project_id, shown);
  if (tab === "workflows") {
    const { workflows } = await daemon.call("listCronWorkflows", { params });
    return { workflows };
  }
  if (tab === "series") {
    const { recurrences: series } = await daemon.call("listRecurrences", { params });
    return { series };
  }
  if (job === undefined) return {};
  const ofJob = { project_id, cron_uid: job };
  if (tab === "ledger") return { ledger: await readLedger(daemon, ofJob, shown) };
  const limit = Math.min(MAX_PREVIEW, Math.max(PREVIEW_PAGE, shown));
  return { preview: await daemon.call("previewCronJob", { params: ofJob, query: { limit } }) };
}

async function readRuns(daemon: Transport, project_id: number, shown: number) {
  let { runs, more } = await runsBefore(daemon, project_id, undefined);
  while (more !== undefined && runs.length < shown) {
    const page = await runsBefore(daemon, project_id, more);
    runs = [...runs, ...page.runs];
    more = page.more;
  }
  return { runs, more };
}

async function runsBefore(daemon: Transport, project_id: number, before_uid: string | undefined) {
  const query = { limit: MAX_RUNS, before_uid };
  const found = await daemon.call("listCronRuns", { params: { project_id }, query });
  return { runs: found.runs, more: found.next_before_uid };
}

type Ledger = Output<typeof showCronJobLedger>;
type OfJob = { readonly project_id: number; readonly cron_uid: string };

async function readLedger(daemon: Transport, params: OfJob, shown: number): Promise<Ledger> {
  const first = await daemon.call("showCronJobLedger", { params, query: {} });
  const entries = [...first.entries];
  let { next_before } = first;
  while (next_before !== undefined && entries.length < shown) {
    const page = await ledgerBefore(daemon, params, next_before);
    entries.push(...page.entries);
    next_before = page.next_before;
  }
  return withRest({ ...first, entries }, next_before);
}

function withRest({ next_before: _older, ...ledger }: Ledger, next_before: string | undefined) {
  return next_before === undefined ? ledger : { ...ledger, next_before };
}

async function ledgerBefore(daemon: Transport, params: OfJob, before: string): Promise<Ledger> {
  const query = { before, limit: LEDGER_DEFAULT_LIMIT };
  return await daemon.call("showCronJobLedger", { params, query });
}

export async function readOlder(
  daemon: Transport,
  { project_id, tab, job, before }: EffectOf<"load-older">,
): Promise<Answer> {
  const about = { type: "cron", project_id, tab, job, older: before } as const;
  if (job === undefined) return { ...about, cron: await runsBefore(daemon, project_id, before) };
  const params = { project_id, cron_uid: job };
  return { ...about, cron: { ledger: await ledgerBefore(daemon, params, before) } };
}

/** How many runs are shown below a job. */
const LAST_RUNS = 5;

export async function readJobRuns(
  daemon: Transport,
  { project_id, job }: EffectOf<"load-job-runs">,
): Promise<MessageOf<"job-runs">> {
  const query = { job_uid: job, limit: LAST_RUNS };
  try {
    const { runs } = await daemon.call("listCronRuns", { params: { project_id }, query });
    return { type: "job-runs", job, runs, error: undefined };
  } catch (error) {
    return { type: "job-runs", job, runs: undefined, error: textOf(error) };
  }
}
