import { z } from "zod";
import { isPlainObject, type JsonObject } from "../base/json.ts";
import { CronUid } from "./cron-records.ts";
import {
  MAX_RUNS,
  MAX_SUMMARY_BYTES,
  OBSERVATION_BODY_BYTES,
  REPORT_MAX_GROUPS,
} from "./limits.ts";
import { Event } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Count, Instant, Metadata, ProjectId } from "./values.ts";

const route = routesOf("cron");

const RunStatus = shape(() => z.enum(["running", "succeeded", "failed", "cancelled", "unknown"]));

const Summary = component("CronRunSummary", () =>
  z
    .custom<JsonObject>((value) => isPlainObject(value as JsonObject), {
      error: "must be an object",
      abort: true,
    })
    .meta({
      type: "object",
      additionalProperties: false,
      description: `at most ${MAX_SUMMARY_BYTES} bytes; unknown fields are refused`,
      required: ["version"],
      properties: {
        version: { type: "integer", enum: [1] },
        message: { type: "string" },
        input_tokens: { type: "integer", format: "int64", minimum: 0 },
        output_tokens: { type: "integer", format: "int64", minimum: 0 },
      },
    }),
);

const identity = () => ({
  job_uid: z.string().optional(),
  definition_event_uid: z
    .string()
    .optional()
    .describe("uid of the event that wrote the job definition that was run"),
  workflow_uid: z.string().optional(),
  workflow_definition_event_uid: z
    .string()
    .optional()
    .describe("uid of the event that wrote the workflow definition that was run"),
  issue_uid: z.string().optional(),
  occurrence_key: z.string().optional(),
  executor_label: z.string().optional(),
});

export const CronRun = component("CronRun", () =>
  z.looseObject({
    id: z.int(),
    uid: z.string(),
    project_id: ProjectId(),
    ...identity(),
    actor: z.string(),
    teammate: z.string().optional(),
    status: RunStatus(),
    summary: Metadata(),
    revision: z.int(),
    created_at: Instant(),
    started_at: Instant().optional(),
    ended_at: Instant().optional(),
    updated_at: Instant(),
  }),
);

const RUNS = "/projects/{project_id}/cron/runs";
const RunParams = shape(() => z.object({ project_id: ProjectId(), run_uid: CronUid() }));

export const listCronRuns = route({
  id: "listCronRuns",
  method: "GET",
  path: RUNS,
  access: "read",
  local: true,
  summary: "list the runs of a project, newest first",
  query: shape(() =>
    z.object({
      job_uid: CronUid().optional(),
      before_uid: CronUid()
        .optional()
        .describe("only runs before this one, in the order of the list"),
      limit: z
        .int()
        .min(0)
        .max(MAX_RUNS)
        .optional()
        .describe(`default ${MAX_RUNS}; 0 means the default`),
    }),
  ),
  response: component("CronRunList", () =>
    z.looseObject({
      runs: z.array(CronRun()),
      next_before_uid: z
        .string()
        .optional()
        .describe("pass as before_uid to read the next page; absent when there is none"),
    }),
  ),
  errors: ["not_found"],
});

/** What a report may group by. The last three were added in API 0.15.0. */
export const RUN_GROUPINGS = [
  "issue",
  "parent",
  "job",
  "actor",
  "day",
  "workflow",
  "teammate",
  "executor",
] as const;

export const reportCronRuns = route({
  id: "reportCronRuns",
  method: "GET",
  path: `${RUNS}/report`,
  access: "read",
  local: true,
  summary: "sum up the runs of a project with their tokens and their time",
  query: shape(() =>
    z.object({
      by: z
        .enum(RUN_GROUPINGS)
        .optional()
        .describe("default issue; workflow, teammate and executor are of API 0.15.0"),
      since: z.string().optional().describe("first day, YYYY-MM-DD in UTC"),
      until: z.string().optional().describe("last day, YYYY-MM-DD in UTC"),
      issue_uid: z
        .string()
        .optional()
        .describe("only the runs on the issue with this uid (API 0.18.0)"),
      limit: z
        .int()
        .min(1)
        .max(REPORT_MAX_GROUPS)
        .optional()
        .describe(`number of groups, those with the most tokens; default ${REPORT_MAX_GROUPS}`),
    }),
  ),
  response: component("CronRunReport", () => {
    const sums = () => ({
      runs: Count(),
      succeeded: Count(),
      failed: Count(),
      input_tokens: Count(),
      output_tokens: Count(),
      seconds: z.number().describe("total duration of the runs that have a start and an end"),
    });
    return z.looseObject({
      by: z.enum(RUN_GROUPINGS),
      total: z.looseObject(sums()),
      groups: z.array(
        z.looseObject({
          key: z
            .string()
            .optional()
            .describe(
              "uid of the issue, parent, job or workflow, the actor, teammate or executor_label, or the day; absent for runs that have none",
            ),
          name: z
            .string()
            .optional()
            .describe("qualified id and title, or the name of the job or workflow"),
          ...sums(),
        }),
      ),
      truncated: z.boolean(),
    });
  }),
});

export const listRunningCronRuns = route({
  id: "listRunningCronRuns",
  method: "GET",
  path: `${RUNS}/running`,
  access: "read",
  local: true,
  summary: "list the runs whose status is running, oldest first (API 0.15.0)",
  query: shape(() =>
    z.object({
      limit: z.int().min(1).max(MAX_RUNS).optional().describe(`default ${MAX_RUNS}`),
    }),
  ),
  response: component("RunningCronRuns", () =>
    z.looseObject({
      now: Instant(),
      runs: z.array(
        CronRun().extend({
          job_name: z.string().optional(),
          issue: z.string().optional().describe("qualified id of the issue"),
        }),
      ),
      truncated: z.boolean(),
    }),
  ),
});

export const showCronRun = route({
  id: "showCronRun",
  method: "GET",
  path: `${RUNS}/{run_uid}`,
  access: "read",
  local: true,
  summary: "show a run",
  params: RunParams,
  response: component("CronRunResponse", () => z.looseObject({ run: CronRun() })),
  errors: ["not_found"],
});

export const observeCronRun = route({
  id: "observeCronRun",
  method: "PUT",
  path: `${RUNS}/{run_uid}`,
  access: "write",
  local: true,
  summary: "create or update the record of a run; repeating the same observation changes nothing",
  params: RunParams,
  maxBodyBytes: OBSERVATION_BODY_BYTES,
  strict: { maxBytes: {} },
  body: component("ObserveCronRunRequest", () =>
    z.strictObject({
      ...identity(),
      actor: Actor(),
      teammate: z.string().nullable().optional(),
      status: RunStatus(),
      summary: Summary(),
      started_at: z.string().optional().describe("RFC 3339"),
      ended_at: z.string().optional().describe("RFC 3339, not before the start"),
      expected_revision: z
        .int()
        .min(0)
        .optional()
        .describe("0 for a new run, otherwise the revision that was read; required for a change"),
    }),
  ),
  response: component("ObserveCronRunResponse", () =>
    z.looseObject({ run: CronRun(), events: z.array(Event()), replayed: z.boolean() }),
  ),
  errors: ["cron_conflict"],
});
