import { sql } from "kysely";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { eventOf, parsed } from "../rows.ts";
import type { Selected } from "../schema.ts";
import { rowsWith, statement } from "../statement.ts";
import type { Cron } from "../types.ts";

const cronJobOf = (row: Selected<"cron_jobs">) => parsed("cron_jobs", row);
const cronWorkflowOf = (row: Selected<"cron_workflows">) => parsed("cron_workflows", row);

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
    definitionEvents: async (uid) => {
      const rows = await definitionsOf.all(connection, { like: `%"uid":"${uid}"%` });
      // The pattern also matches a uid inside a job's document, so the payload is checked.
      return rows
        .map((row) => eventOf(row) as JobEvent)
        .filter(({ payload }) => payload.uid === uid);
    },
    lifeEvents: async (issue_uid, project_uid) => [
      ...(await lifeOfIssue.all(connection, { issue_uid })).map(typed),
      ...(await lifeOfProject.all(connection, { project_uid })).map(typed),
    ],
    metadataEvents: async (issue_uid, before, limit) =>
      (await metadataOf.all(connection, { issue_uid, before, limit })).map(
        (row) => eventOf(row) as StoredEvent<"issue.metadata_updated">,
      ),
  };
}

const jobByUid = rowsWith("cron_jobs", ["uid"]);

const workflowByUid = rowsWith("cron_workflows", ["uid"]);

const jobsOf = rowsWith("cron_jobs", ["project_uid"], ["name", "uid"]);

const workflowsOf = rowsWith("cron_workflows", ["project_uid"], ["name", "uid"]);

/** Native jobs in the order in which a sweep delivers them. */
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

const nativesOf = rowsWith("cron_jobs", ["parent_uid"], ["uid"]);

type JobEvent = StoredEvent<Extract<EventKind, `cron.job.${string}`>>;

function typed(row: { readonly type: string; readonly created_at: string }) {
  return { type: row.type as EventKind, created_at: row.created_at };
}

const JOB_EVENTS = [
  "cron.job.created",
  "cron.job.updated",
  "cron.job.deleted",
  "cron.job.restored",
];

const definitionsOf = statement((db, p: { like: string }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "in", JOB_EVENTS)
    .where("payload", "like", p.like)
    .orderBy("id"),
);

const LIFE_EVENTS = ["issue.closed", "issue.reopened", "issue.soft_deleted", "issue.restored"];

const lifeOfIssue = statement((db, p: { issue_uid: string }) =>
  db
    .selectFrom("event")
    .select(["type", "created_at"])
    .where("issue_uid", "=", p.issue_uid)
    .where("type", "in", LIFE_EVENTS)
    .orderBy("id"),
);

const lifeOfProject = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("event")
    .select(["type", "created_at"])
    .where("type", "in", ["project.removed", "project.restored"])
    .where("project_uid", "=", p.project_uid)
    .orderBy("id"),
);

const metadataOf = statement((db, p: { issue_uid: string; before: number; limit: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.issue_uid)
    .where("type", "=", "issue.metadata_updated")
    .where("id", "<", p.before)
    .orderBy("id", "desc")
    .limit(sql<number>`${p.limit}`),
);
