import { sql } from "kysely";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import { rowsWith, statement } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { Cron } from "../types/schedules.ts";
import { eventStatement } from "./statements.ts";

export function cron(connection: Connection): Cron {
  return {
    job: async (uid) => await jobByUid.one(connection, { uid }),
    workflow: async (uid) => await workflowByUid.one(connection, { uid }),
    jobs: async (project_uid) => await jobsOf.all(connection, { project_uid }),
    workflows: async (project_uid) => await workflowsOf.all(connection, { project_uid }),
    nativeJobs: async () => await natives.all(connection, {}),
    nativeJobsOf: async (parent_uid) => await nativesOf.all(connection, { parent_uid }),
    definitionEvents: async (uid) => {
      const found = await definitionsOf.all(connection, { like: `%"uid":"${uid}"%` });
      // The pattern `like` also matches a job whose document contains this uid, so compare the uid in each payload.
      const own = (found as readonly JobEvent[]).filter(({ payload }) => payload.uid === uid);
      const known = new Set(own.map((event) => event.uid));
      return own.filter((event) => {
        if (event.type !== "cron.job.snapshot") return true;
        const { definition_event_uid } = event.payload;
        const isNew = !known.has(definition_event_uid);
        known.add(definition_event_uid);
        return isNew;
      });
    },
    isNamedBySnapshot: async (kind, { project_uid, uid, event_uid }) => {
      const type = `cron.${kind}.snapshot`;
      const like = `%"definition_event_uid":"${event_uid}"%`;
      const found = await snapshotsOf.all(connection, { project_uid, type, like });
      return (found as readonly StoredEvent<"cron.job.snapshot">[]).some(
        ({ payload }) => payload.uid === uid && payload.definition_event_uid === event_uid,
      );
    },
    lifeEvents: async (issue_uid, project_uid) => [
      ...(await lifeOfIssue.all(connection, { issue_uid })),
      ...(await lifeOfProject.all(connection, { project_uid })),
    ],
    metadataEvents: async (issue_uid, before, limit) =>
      (await metadataOf.all(connection, { issue_uid, before, limit })) as readonly MetadataEvent[],
  };
}

type JobEvent = StoredEvent<Extract<EventKind, `cron.job.${string}`>>;
type MetadataEvent = StoredEvent<"issue.metadata_updated">;

const jobOf = (row: Selected<"cron_jobs">) => parsed("cron_jobs", row);
const workflowOf = (row: Selected<"cron_workflows">) => parsed("cron_workflows", row);

const jobByUid = rowsWith("cron_jobs", ["uid"]).map(jobOf);

const workflowByUid = rowsWith("cron_workflows", ["uid"]).map(workflowOf);

const jobsOf = rowsWith("cron_jobs", ["project_uid"], ["name", "uid"]).map(jobOf);

const workflowsOf = rowsWith("cron_workflows", ["project_uid"], ["name", "uid"]).map(workflowOf);

const natives = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("cron_jobs as j")
    .innerJoin("project as p", "p.uid", "j.project_uid")
    .selectAll("j")
    .where("j.parent_uid", "is not", null)
    .where("j.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("federation_binding as b")
            .select("b.project_uid")
            .whereRef("b.project_uid", "=", "p.uid")
            .where("b.role", "=", "spoke"),
        ),
      ),
    )
    .orderBy("p.id")
    .orderBy("j.uid"),
).map(jobOf);

const nativesOf = rowsWith("cron_jobs", ["parent_uid"], ["uid"]).map(jobOf);

const JOB_EVENTS = [
  "cron.job.created",
  "cron.job.updated",
  "cron.job.deleted",
  "cron.job.restored",
  "cron.job.snapshot",
];

const definitionsOf = eventStatement((db, p: { like: string }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "in", JOB_EVENTS)
    .where("payload", "like", p.like)
    .orderBy("id"),
);

const snapshotsOf = eventStatement((db, p: { project_uid: string; type: string; like: string }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("feed_uid", "=", p.project_uid)
    .where("payload", "like", p.like),
);

const LIFE_EVENTS = ["issue.closed", "issue.reopened", "issue.soft_deleted", "issue.restored"];

const lifeOfIssue = statement((db, p: { issue_uid: string }) =>
  db
    .selectFrom("event")
    .select([sql<EventKind>`type`.as("type"), "created_at"])
    .where("issue_uid", "=", p.issue_uid)
    .where("type", "in", LIFE_EVENTS)
    .orderBy("id"),
);

const lifeOfProject = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("event")
    .select([sql<EventKind>`type`.as("type"), "created_at"])
    .where("type", "in", ["project.removed", "project.restored"])
    .where("project_uid", "=", p.project_uid)
    .orderBy("id"),
);

const metadataOf = eventStatement((db, p: { issue_uid: string; before: number; limit: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.issue_uid)
    .where("type", "=", "issue.metadata_updated")
    .where("id", "<", p.before)
    .orderBy("id", "desc")
    .limit(sql<number>`${p.limit}`),
);
