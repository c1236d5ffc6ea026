import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds runs (docs/contract/cron-and-inbox.md#5-events-storage-federation). Token counts, duration and day are copied
 * from the evidence. Each grouping of the report has a covering index in its own order, so the report reads no rows and
 * sorts nothing.
 */
export const cronRuns: Migration = {
  version: 31,
  up: async ({ table, index }) => {
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
  },
};
