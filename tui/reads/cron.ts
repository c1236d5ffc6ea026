import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { listCronJobs } from "../../src/contract/cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import { listCronRuns } from "../../src/contract/cron-runs.ts";
import { listCronWorkflows } from "../../src/contract/cron-workflows.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { statusOf, textOf } from "../failures.ts";
import type { CronState } from "../state/slices.ts";
import type { Effect, Message } from "../state/step.ts";

type Answer = Extract<Message, { type: "cron" }>;

const RUNS_PER_PAGE = 100;

/** The jobs, which name what the other tabs show, and then what the tab itself shows. */
export async function* readCron(
  client: Client,
  asked: Extract<Effect, { effect: "load-cron" }>,
): AsyncGenerator<Answer, void, void> {
  const { project_id, tab } = asked;
  let isKnown = false;
  try {
    const { jobs } = await call(client, listCronJobs, { params: { project_id } });
    isKnown = true;
    yield { type: "cron", cron: { jobs, error: undefined } };
    // A job is shown with its last runs.
    if (tab === "runs" || tab === "jobs")
      yield await readRuns(client, { effect: "load-runs", project_id, before: undefined });
    else yield { type: "cron", cron: await readTab(client, asked) };
  } catch (error) {
    yield {
      type: "cron",
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
  { project_id, tab, job }: Extract<Effect, { effect: "load-cron" }>,
): Promise<Partial<CronState>> {
  const params = { project_id };
  if (tab === "workflows") {
    const { workflows } = await call(client, listCronWorkflows, { params });
    return { workflows };
  }
  if (job === undefined) return {};
  const ofJob = { project_id, cron_uid: job };
  if (tab === "ledger") return { ledger: await call(client, showCronJobLedger, { params: ofJob }) };
  if (tab !== "preview") return {};
  const query = { limit: 50 };
  return { preview: await call(client, previewCronJob, { params: ofJob, query }) };
}

export async function readRuns(
  client: Client,
  { project_id, before }: Extract<Effect, { effect: "load-runs" }>,
): Promise<Answer> {
  const query = { limit: RUNS_PER_PAGE, before_uid: before };
  const { runs, next_before_uid: more } = await call(client, listCronRuns, {
    params: { project_id },
    query,
  });
  return { type: "cron", cron: { runs, more }, older: before !== undefined };
}
