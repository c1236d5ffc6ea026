import type { Connection } from "../connection.ts";
import { cronJobOf, cronWorkflowOf } from "../rows.ts";
import { statement } from "../statement.ts";
import type { Cron } from "../types.ts";

export function cron(connection: Connection): Cron {
  return {
    job: async (uid) => {
      const row = await jobByUid.one(connection, { uid });
      return row === undefined ? undefined : cronJobOf(row);
    },
    workflow: async (uid) => {
      const row = await workflowByUid.one(connection, { uid });
      return row === undefined ? undefined : cronWorkflowOf(row);
    },
    jobs: async (project_uid) => (await jobsOf.all(connection, { project_uid })).map(cronJobOf),
    workflows: async (project_uid) =>
      (await workflowsOf.all(connection, { project_uid })).map(cronWorkflowOf),
    nativeJobs: async () => (await natives.all(connection, {})).map(cronJobOf),
    nativeJobsOf: async (parent_uid) =>
      (await nativesOf.all(connection, { parent_uid })).map(cronJobOf),
  };
}

const jobByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_jobs").selectAll().where("uid", "=", p.uid),
);

const workflowByUid = statement((db, p: { uid: string }) =>
  db.selectFrom("cron_workflows").selectAll().where("uid", "=", p.uid),
);

const jobsOf = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("cron_jobs")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .orderBy("name")
    .orderBy("uid"),
);

const workflowsOf = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("cron_workflows")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .orderBy("name")
    .orderBy("uid"),
);

/** In the order in which a sweep goes through them. */
const natives = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("cron_jobs as j")
    .innerJoin("project as p", "p.uid", "j.project_uid")
    .selectAll("j")
    .where("j.parent_uid", "is not", null)
    .where("j.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .orderBy("p.id")
    .orderBy("j.uid"),
);

const nativesOf = statement((db, p: { parent_uid: string }) =>
  db.selectFrom("cron_jobs").selectAll().where("parent_uid", "=", p.parent_uid).orderBy("uid"),
);
