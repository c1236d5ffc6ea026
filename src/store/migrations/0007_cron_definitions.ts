import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds jobs and workflows (docs/contract/cron-and-inbox.md#5-events-storage-federation). `parent_uid` is the parent of
 * the issues that a native recurring job creates.
 */
export const cronDefinitions: Migration = {
  version: 7,
  up: async ({ table, index }) => {
    const columns = `id int primary key, uid text not null unique,
      project_uid text not null references project (uid), name text not null, definition text not null,
      definition_event_uid text not null, definition_hlc text not null, author text not null,
      revision int not null, created_at text not null, updated_at text not null, deleted_at text`;
    await table("cron_jobs", `${columns}, parent_uid text`);
    await table("cron_workflows", columns);
    await index("cron_jobs_project", "cron_jobs", "project_uid, name, uid");
    await index("cron_workflows_project", "cron_workflows", "project_uid, name, uid");
    await index("cron_jobs_parent", "cron_jobs", "parent_uid", { where: "parent_uid is not null" });
  },
};
