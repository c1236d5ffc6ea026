import { z } from "zod";
import { definitionRoutes } from "./cron-definitions.ts";
import { Held } from "./cron-ledger.ts";
import {
  definitionDocument,
  JobListQuery,
  OBJECT,
  recordFields,
  StoredDefinition,
  TEXT,
} from "./cron-records.ts";
import { MAX_DEFINITION_BYTES } from "./limits.ts";
import { Event } from "./objects.ts";
import { component } from "./shape.ts";

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

export const {
  list: listCronJobs,
  create: createCronJob,
  show: showCronJob,
  replace: replaceCronJob,
  archive: archiveCronJob,
  restore: restoreCronJob,
} = definitionRoutes({
  noun: "job",
  definition: JobDefinition,
  listQuery: JobListQuery,
  list: component("CronJobList", () =>
    z.looseObject({
      jobs: z.array(
        CronJob().extend({
          next_at: z.string().optional().describe("the next due time, also of a held job"),
          last_at: z
            .string()
            .optional()
            .describe("the due time that svc delivered last, or when the adapter's last run began"),
        }),
      ),
    }),
  ),
  one: JobResponse,
  mutation: JobMutation,
  deleted: "a job",
});
