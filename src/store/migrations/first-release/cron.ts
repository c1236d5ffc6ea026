import type { SchemaTools } from "../../upgrade/migrate.ts";

const DEFINITION = `id int primary key, uid text not null unique,
  project_uid text not null references project (uid), name text not null, definition text not null,
  definition_event_uid text not null, definition_hlc text not null, author text not null,
  revision int not null, created_at text not null, updated_at text not null, deleted_at text`;

/**
 * Creates the tables of jobs, workflows, runs and series (docs/contract/cron-and-inbox.md#5-events-storage-federation).
 * `parent_uid` is the parent of the issues that a native recurring job creates.
 */
export async function cronTables(schema: SchemaTools): Promise<void> {
  const { table, index } = schema;
  await table("cron_jobs", `${DEFINITION}, parent_uid text`);
  await table("cron_workflows", DEFINITION);
  await index("cron_jobs_project", "cron_jobs", "project_uid, name, uid");
  await index("cron_workflows_project", "cron_workflows", "project_uid, name, uid");
  await index("cron_jobs_parent", "cron_jobs", "parent_uid", { where: "parent_uid is not null" });
  await runTable(schema);
  await table(
    "recurrence",
    `id int primary key, uid text not null unique, project_uid text not null references project (uid),
     rrule text not null, dtstart text not null, timezone text not null, template_title text not null,
     template_body text not null, template_owner text, template_priority int, template_labels text not null,
     template_metadata text not null, next_occurrence_key text, last_materialized_uid text,
     author text not null, revision int not null, created_at text not null, updated_at text not null,
     deleted_at text`,
  );
  await index("recurrence_project", "recurrence", "project_uid, created_at, id");
}

/**
 * Token counts, duration and day are copied from the evidence. The groupings of the report that are used most have a
 * covering index in their own order, so the report reads no rows and sorts nothing. The others share one index: three
 * would also save the sorting, but would make adding a run three times as expensive.
 */
async function runTable({ table, index }: SchemaTools): Promise<void> {
  await table(
    "cron_runs",
    `id int primary key, uid text not null unique, project_uid text not null references project (uid),
     job_uid text, definition_event_uid text, workflow_uid text, workflow_definition_event_uid text,
     occurrence_key text, issue_uid text, actor text not null, teammate text, executor_label text,
     status text not null, summary text not null, revision int not null, created_at text not null,
     started_at text, ended_at text, updated_at text not null,
     input_tokens int not null, output_tokens int not null, duration_ms int not null, day text not null`,
  );
  await index("cron_runs_project", "cron_runs", "project_uid, created_at, uid");
  await index("cron_runs_job", "cron_runs", "project_uid, job_uid, created_at, uid", {
    where: "job_uid is not null",
  });
  const sums = "status, input_tokens, output_tokens, duration_ms";
  await index("cron_runs_day", "cron_runs", `project_uid, day, ${sums}`);
  for (const by of ["issue_uid", "job_uid", "actor"])
    await index(`cron_runs_by_${by}`, "cron_runs", `project_uid, ${by}, day, ${sums}`);
  await index(
    "cron_runs_by_others",
    "cron_runs",
    `project_uid, workflow_uid, teammate, executor_label, day, ${sums}`,
  );
}
