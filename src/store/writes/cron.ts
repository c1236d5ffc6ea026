import { canonicalJson } from "../../base/json.ts";
import type { CronDefinitionRow, CronJobRow, CronRunRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { nextId } from "../migrate.ts";
import { statement } from "../statement.ts";

/** Documents as their tables hold them. */
export function cronTexts({ definition, definition_hlc }: CronDefinitionRow) {
  return {
    definition: canonicalJson(definition),
    definition_hlc: canonicalJson(definition_hlc),
  };
}

export async function putCronJob(connection: Connection, row: CronJobRow): Promise<void> {
  const values = { ...row, ...cronTexts(row) };
  if ((await updateCronJob.run(connection, values)) === 0)
    await insertCronJob.run(connection, values);
}

export async function putCronWorkflow(
  connection: Connection,
  row: CronDefinitionRow,
): Promise<void> {
  const values = { ...row, ...cronTexts(row) };
  if ((await updateCronWorkflow.run(connection, values)) === 0)
    await insertCronWorkflow.run(connection, values);
}

type CronValues<T extends CronDefinitionRow> = Omit<T, "definition" | "definition_hlc"> &
  ReturnType<typeof cronTexts>;

const insertCronJob = statement((db, p: CronValues<CronJobRow>) =>
  db.insertInto("cron_jobs").values({
    id: nextId("cron_jobs"),
    ...cronValues(p),
    parent_uid: p.parent_uid,
  }),
);

const updateCronJob = statement((db, p: CronValues<CronJobRow>) =>
  db
    .updateTable("cron_jobs")
    .set({ ...cronValues(p), parent_uid: p.parent_uid })
    .where("uid", "=", p.uid),
);

const insertCronWorkflow = statement((db, p: CronValues<CronDefinitionRow>) =>
  db.insertInto("cron_workflows").values({ id: nextId("cron_workflows"), ...cronValues(p) }),
);

const updateCronWorkflow = statement((db, p: CronValues<CronDefinitionRow>) =>
  db.updateTable("cron_workflows").set(cronValues(p)).where("uid", "=", p.uid),
);

function cronValues(p: CronValues<CronDefinitionRow>) {
  return {
    uid: p.uid,
    project_uid: p.project_uid,
    name: p.name,
    definition: p.definition,
    definition_event_uid: p.definition_event_uid,
    definition_hlc: p.definition_hlc,
    author: p.author,
    revision: p.revision,
    created_at: p.created_at,
    updated_at: p.updated_at,
    deleted_at: p.deleted_at,
  };
}

export async function putCronRun(connection: Connection, row: CronRunRow): Promise<void> {
  const values = { ...row, summary: canonicalJson(row.summary) };
  if ((await updateCronRun.run(connection, values)) === 0)
    await insertCronRun.run(connection, values);
}

type RunValues = Omit<CronRunRow, "summary"> & { readonly summary: string };

const insertCronRun = statement((db, p: RunValues) =>
  db.insertInto("cron_runs").values({ id: nextId("cron_runs"), ...runValues(p) }),
);

const updateCronRun = statement((db, p: RunValues) =>
  db.updateTable("cron_runs").set(runValues(p)).where("uid", "=", p.uid),
);

function runValues(p: RunValues) {
  return {
    uid: p.uid,
    project_uid: p.project_uid,
    job_uid: p.job_uid,
    definition_event_uid: p.definition_event_uid,
    workflow_uid: p.workflow_uid,
    workflow_definition_event_uid: p.workflow_definition_event_uid,
    occurrence_key: p.occurrence_key,
    issue_uid: p.issue_uid,
    actor: p.actor,
    teammate: p.teammate,
    executor_label: p.executor_label,
    status: p.status,
    summary: p.summary,
    revision: p.revision,
    created_at: p.created_at,
    started_at: p.started_at,
    ended_at: p.ended_at,
    updated_at: p.updated_at,
    input_tokens: p.input_tokens,
    output_tokens: p.output_tokens,
    duration_ms: p.duration_ms,
    day: p.day,
  };
}
