import { z } from "zod";
import { CronUid } from "./cron-records.ts";
import { LEDGER_DEFAULT_LIMIT, LEDGER_MAX_LIMIT, MAX_PREVIEW, PREVIEW_DEFAULT } from "./limits.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { ProjectId } from "./values.ts";

const tag = "cron";

const params = shape(() => z.object({ project_id: ProjectId(), cron_uid: CronUid() }));

const second = (what: string) => z.string().describe(`${what}, as YYYY-MM-DDTHH:MM:SSZ`);

export const Held = () =>
  z
    .string()
    .optional()
    .describe(
      "why it does not run: disabled, job_deleted, parent_closed, parent_deleted or project_archived; and for good: parent_missing, progress_invalid or definition_invalid",
    );

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
  tag,
  summary: "the next times of a job in its zone, with the changes of its clock marked",
  params,
  query: shape(() =>
    z.object({
      limit: z
        .int()
        .min(1)
        .max(MAX_PREVIEW)
        .optional()
        .describe(`how many; ${PREVIEW_DEFAULT} unless said`),
    }),
  ),
  response: component("CronPreviewResponse", () =>
    z.looseObject({
      job: z.looseObject(JobHead()),
      now: second("from when on"),
      occurrences: z.array(
        z.looseObject({
          at: second("the instant"),
          local: z.string().describe("the wall clock in the job's zone"),
          offset: z.string().describe("how far that clock is ahead of UTC"),
          offset_changed: z
            .boolean()
            .describe("the clock was put forward or back since the one before"),
        }),
      ),
    }),
  ),
  errors: ["project_not_found", "not_found"],
});

export const showCronJobLedger = route({
  id: "showCronJobLedger",
  method: "GET",
  path: "/projects/{project_id}/cron/jobs/{cron_uid}/ledger",
  access: "read",
  tag,
  summary: "what became of each time that a recurring job came due, newest first",
  params,
  query: shape(() =>
    z.object({
      limit: z
        .int()
        .min(1)
        .max(LEDGER_MAX_LIMIT)
        .optional()
        .describe(`how many; ${LEDGER_DEFAULT_LIMIT} unless said`),
      before: z.string().optional().describe("only what came due before this instant"),
    }),
  ),
  response: component("CronLedgerResponse", () =>
    z.looseObject({
      job: z.looseObject(JobHead()),
      through: second("until when everything is settled"),
      entries: z.array(
        z.looseObject({
          at: second("when it came due"),
          outcome: z.enum(["delivered", "discarded", "pending"]),
          late_seconds: z.int().optional(),
          child_uid: z.string().optional(),
          child_short_id: z.string().optional(),
          policy: z.enum(["skip", "latest", "all"]).optional().describe("what discarded it"),
          settled_at: z.string().optional(),
          held: Held(),
        }),
      ),
      next_before: z.string().optional().describe("the `before` of what came due earlier"),
    }),
  ),
  errors: ["project_not_found", "not_found"],
});
