import { z } from "zod";
import { CronParams } from "./cron-records.ts";
import { LEDGER_DEFAULT_LIMIT, LEDGER_MAX_LIMIT, MAX_PREVIEW, PREVIEW_DEFAULT } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";

const route = routesOf("cron");

const second = (what: string) => z.string().describe(`${what}, as YYYY-MM-DDTHH:MM:SSZ`);

export const Held = () =>
  z
    .string()
    .optional()
    .describe(
      "why the job does not run: disabled, job_deleted, parent_closed, parent_deleted or project_archived, or, permanently, parent_missing, progress_invalid or definition_invalid",
    );

export const previewRange = () => ({
  limit: z
    .int()
    .min(1)
    .max(MAX_PREVIEW)
    .optional()
    .describe(`number of times, default ${PREVIEW_DEFAULT}`),
  from: z
    .string()
    .optional()
    .describe(
      "the first instant that may be listed, RFC 3339; default just after now (API 0.15.0)",
    ),
});

export const previewTimes = () => ({
  now: second("the time of reading"),
  occurrences: z.array(
    z.looseObject({
      at: second("the instant"),
      local: z.string().describe("wall-clock time in the job's zone"),
      offset: z.string().describe("offset of that clock from UTC"),
      offset_changed: z
        .boolean()
        .describe("true if the zone's offset changed since the previous time"),
    }),
  ),
});

const JobHead = () => ({
  uid: z.string(),
  name: z.string(),
  timezone: z.string(),
  held: Held(),
});

export const previewCronJob = route({
  id: "previewCronJob",
  method: "GET",
  path: "/projects/{project_id}/cron/jobs/{cron_uid}/preview",
  access: "read",
  local: true,
  summary: "list the next due times of a job in its zone, with clock changes marked",
  params: CronParams,
  query: shape(() => z.object(previewRange())),
  response: component("CronPreviewResponse", () =>
    z.looseObject({ job: z.looseObject(JobHead()), ...previewTimes() }),
  ),
  errors: ["not_found"],
});

export const showCronJobLedger = route({
  id: "showCronJobLedger",
  method: "GET",
  path: "/projects/{project_id}/cron/jobs/{cron_uid}/ledger",
  access: "read",
  local: true,
  summary: "list what became of each due time of a recurring job, newest first",
  params: CronParams,
  query: shape(() =>
    z.object({
      limit: z
        .int()
        .min(1)
        .max(LEDGER_MAX_LIMIT)
        .optional()
        .describe(`number of entries, default ${LEDGER_DEFAULT_LIMIT}`),
      before: z.string().optional().describe("only due times before this instant"),
    }),
  ),
  response: component("CronLedgerResponse", () =>
    z.looseObject({
      job: z.looseObject(JobHead()),
      through: second("all due times up to this instant have an outcome"),
      entries: z.array(
        z.looseObject({
          at: second("due time"),
          outcome: z.enum(["delivered", "discarded", "pending"]),
          late_seconds: z.int().optional(),
          child_uid: z.string().optional(),
          child_short_id: z.string().optional(),
          policy: z
            .enum(["skip", "latest", "all"])
            .optional()
            .describe("the catch-up policy that discarded this time"),
          settled_at: z.string().optional(),
          held: Held(),
        }),
      ),
      next_before: z
        .string()
        .optional()
        .describe("the `before` of the next page; absent on the last page"),
    }),
  ),
  errors: ["not_found"],
});

export const sweepCronJob = route({
  id: "sweepCronJob",
  method: "POST",
  path: "/projects/{project_id}/cron/jobs/{cron_uid}/sweep",
  access: "write",
  local: true,
  lengthy: true,
  summary:
    "deliver at once what is due of a recurring job, and nothing that is not due (API 0.15.0)",
  params: CronParams,
  response: component("CronSweepResponse", () =>
    z.looseObject({
      job: z.looseObject(JobHead()),
      now: second("what was due at this time"),
      made: z
        .array(
          z.looseObject({
            at: second("due time"),
            child_uid: z.string(),
            child_short_id: z.string(),
            asked: z.string().optional().describe("the address that got a request"),
          }),
        )
        .describe("the issues that this call made, in order of their due times"),
      more: z.boolean().describe("true if something is due still; the next sweep goes on"),
      next_at: z
        .string()
        .optional()
        .describe("the first due time after `now`; absent if there is none"),
    }),
  ),
  errors: ["not_found"],
});
