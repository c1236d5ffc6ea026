import { z } from "zod";
import { Held } from "./cron-ledger.ts";
import {
  AS_SENT,
  CHANGE_ERRORS,
  ChangeQuery,
  ChangeRequest,
  CronParams,
  CronUid,
  definitionDocument,
  ExpectedEvent,
  ListQuery,
  OBJECT,
  RecordName,
  recordFields,
  StoredDefinition,
  TEXT,
} from "./cron-records.ts";
import { MAX_DEFINITION_BYTES } from "./limits.ts";
import { Event } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";
import { Actor, ProjectParams } from "./values.ts";

const route = routesOf("cron");
const SECONDS = { type: "integer", format: "int64" } as const;

export const JobDefinition = component("JobDefinition", () =>
  definitionDocument().meta({
    type: "object",
    additionalProperties: false,
    description: `at most ${MAX_DEFINITION_BYTES} bytes; unknown fields are refused`,
    required: ["version", "kind", "trigger", "action", "overlap", "catchup"],
    properties: {
      version: { type: "integer", enum: [1] },
      kind: { type: "string", enum: ["job"] },
      enabled: { type: "boolean", description: "default false" },
      trigger: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: {
            type: "string",
            enum: ["manual", "cron", "interval", "once", "issue-scheduled", "issue-deadline"],
          },
          timezone: { ...TEXT, description: "IANA zone, default UTC" },
          cron: { ...TEXT, description: "five fields or a descriptor such as @daily" },
          interval_seconds: SECONDS,
          at: { ...TEXT, format: "date-time" },
          issue_uid: TEXT,
          lead_seconds: SECONDS,
        },
      },
      action: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: { type: "string", enum: ["execute", "notify"] },
          prompt: TEXT,
          workflow_uid: TEXT,
          recipient: { ...TEXT, description: "an inbox address, or current-owner-or-author" },
          message: TEXT,
        },
      },
      issue: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: { type: "string", enum: ["existing", "per-run"] },
          uid: TEXT,
          parent_uid: {
            ...TEXT,
            description: "uid of the issue whose child issues a native job creates",
          },
          title: TEXT,
          body: TEXT,
          scheduled_offset_seconds: SECONDS,
          deadline_offset_seconds: SECONDS,
        },
      },
      overlap: { type: "string", enum: ["forbid", "allow"] },
      catchup: { type: "string", enum: ["skip", "latest", "all"] },
      checkout_key: TEXT,
      grace_seconds: SECONDS,
      timeout_seconds: SECONDS,
      secret_refs: { type: "object", additionalProperties: TEXT },
      options: OBJECT,
    },
  }),
);

export const CronJob = component("CronJob", () =>
  z.looseObject({
    ...recordFields(),
    definition: StoredDefinition("a JobDefinition"),
    held: Held().meta({ description: "why the job does not run at the time of reading" }),
  }),
);

export const JobResponse = component("CronJobResponse", () => z.looseObject({ job: CronJob() }));
export const JobMutation = component("CronJobMutation", () =>
  z.looseObject({ job: CronJob(), events: z.array(Event()) }),
);
const JOBS = "/projects/{project_id}/cron/jobs";

export const listCronJobs = route({
  id: "listCronJobs",
  method: "GET",
  path: JOBS,
  access: "read",
  summary: "list the jobs of a project by name",
  params: ProjectParams,
  query: ListQuery,
  response: component("CronJobList", () => z.looseObject({ jobs: z.array(CronJob()) })),
  errors: ["project_not_found"],
});

export const createCronJob = route({
  id: "createCronJob",
  method: "POST",
  path: JOBS,
  access: "write",
  summary: "create a job; a uid that exists is refused, never updated",
  params: ProjectParams,
  strict: AS_SENT,
  status: 201,
  body: component("CreateCronJobRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: JobDefinition(),
      actor: Actor(),
      uid: CronUid().optional(),
    }),
  ),
  response: JobMutation,
  errors: ["project_not_found", "cron_conflict"],
});

export const showCronJob = route({
  id: "showCronJob",
  method: "GET",
  path: `${JOBS}/{cron_uid}`,
  access: "read",
  summary: "show a job, including a deleted one",
  params: CronParams,
  response: JobResponse,
  errors: ["project_not_found", "not_found"],
});

export const replaceCronJob = route({
  id: "replaceCronJob",
  method: "PATCH",
  path: `${JOBS}/{cron_uid}`,
  access: "write",
  summary: "replace the name and the whole definition of a job",
  params: CronParams,
  strict: AS_SENT,
  body: component("ReplaceCronJobRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: JobDefinition(),
      expected_event_uid: ExpectedEvent(),
      actor: Actor(),
    }),
  ),
  response: JobMutation,
  errors: CHANGE_ERRORS,
});

export const archiveCronJob = route({
  id: "archiveCronJob",
  method: "DELETE",
  path: `${JOBS}/{cron_uid}`,
  access: "write",
  summary: "delete a job; it stays readable",
  params: CronParams,
  query: ChangeQuery,
  body: ChangeRequest,
  response: JobMutation,
  errors: CHANGE_ERRORS,
});

export const restoreCronJob = route({
  id: "restoreCronJob",
  method: "POST",
  path: `${JOBS}/{cron_uid}/restore`,
  access: "write",
  summary: "restore a deleted job",
  params: CronParams,
  body: ChangeRequest,
  response: JobMutation,
  errors: CHANGE_ERRORS,
});
