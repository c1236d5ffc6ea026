import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { listCronJobs, listCronWorkflows } from "../../src/contract/cron.ts";
import { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import { listCronRuns } from "../../src/contract/cron-runs.ts";
import { textOf } from "../failures.ts";
import type { CronState } from "../state/state.ts";
import type { Effect, Message } from "../state/step.ts";

type Answer = Extract<Message, { type: "cron" }>;

const RUNS_PER_PAGE = 100;

/** The jobs, which name what the other tabs show, and then what the tab itself shows. */
export async function* readCron(
  client: Client,
  asked: Extract<Effect, { effect: "load-cron" }>,
): AsyncGenerator<Answer, void, void> {
  const { project_id, tab } = asked;
  try {
    const { jobs } = await call(client, listCronJobs, { params: { project_id } });
    yield { type: "cron", cron: { jobs, error: undefined } };
    if (tab === "runs")
      yield await readRuns(client, { effect: "load-runs", project_id, before: undefined });
    else yield { type: "cron", cron: await readTab(client, asked) };
  } catch (error) {
    yield { type: "cron", cron: { error: textOf(error) } };
  }
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
