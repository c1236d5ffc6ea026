import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { listCronJobs } from "../../src/contract/cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import { listCronRuns } from "../../src/contract/cron-runs.ts";
import { listCronWorkflows } from "../../src/contract/cron-workflows.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { LEDGER_DEFAULT_LIMIT, MAX_PREVIEW, MAX_RUNS } from "../../src/contract/limits.ts";
import type { Output } from "../../src/contract/route.ts";
import { PREVIEW_PAGE } from "../../src/screen/cron/cron.ts";
import type { CronState } from "../../src/screen/slices.ts";
import type { Effect, Message } from "../../src/screen/step.ts";
import { statusOf, textOf } from "../failures.ts";

type Answer = Extract<Message, { type: "cron" }>;
export type Asked = Extract<Effect, { effect: "load-cron" }>;

/** The jobs, which name what the other tabs show, and then what the tab itself shows. */
export async function* readCron(client: Client, asked: Asked): AsyncGenerator<Answer, void, void> {
  const { project_id, tab, job } = asked;
  const about = { type: "cron", project_id, tab, job } as const;
  let isKnown = false;
  try {
    const { jobs } = await call(client, listCronJobs, { params: { project_id } });
    isKnown = true;
    yield { ...about, cron: { jobs, error: undefined } };
    if (tab !== "jobs") yield { ...about, cron: await readTab(client, asked) };
  } catch (error) {
    yield {
      ...about,
      cron: !isKnown && isMissing(error) ? { unsupported: true } : { error: textOf(error) },
    };
  }
}

/** A daemon from before there were jobs has no such route; only a project that is gone is told by a code of its own. */
function isMissing(error: unknown): boolean {
  return (
    statusOf(error) === 404 && !(error instanceof SvcError && error.code === "project_not_found")
  );
}

async function readTab(
  client: Client,
  { project_id, tab, job, shown }: Asked,
): Promise<Partial<CronState>> {
  const params = { project_id };
  if (tab === "runs") return await readRuns(client, project_id, shown);
  if (tab === "workflows") {
    const { workflows } = await call(client, listCronWorkflows, { params });
    return { workflows };
  }
  if (job === undefined) return {};
  const ofJob = { project_id, cron_uid: job };
  if (tab === "ledger") return { ledger: await readLedger(client, ofJob, shown) };
  const limit = Math.min(MAX_PREVIEW, Math.max(PREVIEW_PAGE, shown));
  return { preview: await call(client, previewCronJob, { params: ofJob, query: { limit } }) };
}

/** At least as many as are shown already, so that reading them again takes none away. */
async function readRuns(client: Client, project_id: number, shown: number) {
  let { runs, more } = await runsBefore(client, project_id, undefined);
  while (more !== undefined && runs.length < shown) {
    const page = await runsBefore(client, project_id, more);
    runs = [...runs, ...page.runs];
    more = page.more;
  }
  return { runs, more };
}

async function runsBefore(client: Client, project_id: number, before_uid: string | undefined) {
  const query = { limit: MAX_RUNS, before_uid };
  const found = await call(client, listCronRuns, { params: { project_id }, query });
  return { runs: found.runs, more: found.next_before_uid };
}

type Ledger = Output<typeof showCronJobLedger>;
type OfJob = { readonly project_id: number; readonly cron_uid: string };

async function readLedger(client: Client, params: OfJob, shown: number): Promise<Ledger> {
  const first = await call(client, showCronJobLedger, { params, query: {} });
  const entries = [...first.entries];
  let { next_before } = first;
  while (next_before !== undefined && entries.length < shown) {
    const page = await ledgerBefore(client, params, next_before);
    entries.push(...page.entries);
    next_before = page.next_before;
  }
  return withRest({ ...first, entries }, next_before);
}

function withRest({ next_before: _older, ...ledger }: Ledger, next_before: string | undefined) {
  return next_before === undefined ? ledger : { ...ledger, next_before };
}

async function ledgerBefore(client: Client, params: OfJob, before: string): Promise<Ledger> {
  const query = { before, limit: LEDGER_DEFAULT_LIMIT };
  return await call(client, showCronJobLedger, { params, query });
}

/** Rows behind the last one that is shown; what goes wrong is said beside the rows that there are. */
export async function readOlder(
  client: Client,
  { project_id, tab, job, before }: Extract<Effect, { effect: "load-older" }>,
): Promise<Answer> {
  const about = { type: "cron", project_id, tab, job, older: before } as const;
  if (job === undefined) return { ...about, cron: await runsBefore(client, project_id, before) };
  const params = { project_id, cron_uid: job };
  return { ...about, cron: { ledger: await ledgerBefore(client, params, before) } };
}

/** So many of a job's last runs are named below it. */
const LAST_RUNS = 5;

export async function readJobRuns(
  client: Client,
  { project_id, job }: Extract<Effect, { effect: "load-job-runs" }>,
): Promise<Extract<Message, { type: "job-runs" }>> {
  const query = { job_uid: job, limit: LAST_RUNS };
  try {
    const { runs } = await call(client, listCronRuns, { params: { project_id }, query });
    return { type: "job-runs", job, runs, error: undefined };
  } catch (error) {
    return { type: "job-runs", job, runs: undefined, error: textOf(error) };
  }
}
