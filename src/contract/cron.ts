import { z } from "zod";
import { isUlid } from "../base/ids.ts";
import { isPlainObject, type JsonObject } from "../base/json.ts";
import { MAX_DEFINITION_BYTES, MAX_RECORD_NAME_BYTES } from "./limits.ts";
import { Event } from "./objects.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, handle, Instant, ProjectId, ProjectParams } from "./values.ts";

const tag = "cron";

/** In any letter case; the operations compare it in upper case. */
export const CronUid = shape(() =>
  z.string().refine(isUlid, { error: "must be a ULID" }).meta({ description: "a ULID" }),
);

const RecordName = () =>
  handle(MAX_RECORD_NAME_BYTES)
    .refine((value) => value !== "", { error: "must not be blank" })
    .meta({ minLength: 1, description: `trimmed; at most ${MAX_RECORD_NAME_BYTES} bytes` });

const object = { type: "object", additionalProperties: true } as const;
const seconds = { type: "integer", format: "int64" } as const;
const text = { type: "string" } as const;

/** Not copied, so that numbers in `options` keep their spelling; the operations decode it strictly (doc 2, Resources). */
const document = () =>
  z.custom<JsonObject>((value) => isPlainObject(value as JsonObject), {
    error: "must be an object",
    abort: true,
  });

export const JobDefinition = component("JobDefinition", () =>
  document().meta({
    type: "object",
    additionalProperties: false,
    description: `at most ${MAX_DEFINITION_BYTES} bytes; unknown fields are refused`,
    required: ["version", "kind", "trigger", "action", "overlap", "catchup"],
    properties: {
      version: { type: "integer", enum: [1] },
      kind: { type: "string", enum: ["job"] },
      enabled: { type: "boolean", description: "false unless said" },
      trigger: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: {
            type: "string",
            enum: ["manual", "cron", "interval", "once", "issue-scheduled", "issue-deadline"],
          },
          timezone: { ...text, description: "IANA zone; UTC unless said" },
          cron: { ...text, description: "five fields or a descriptor such as @daily" },
          interval_seconds: seconds,
          at: { ...text, format: "date-time" },
          issue_uid: text,
          lead_seconds: seconds,
        },
      },
      action: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: { type: "string", enum: ["execute", "notify"] },
          prompt: text,
          workflow_uid: text,
          recipient: { ...text, description: "an inbox address, or current-owner-or-author" },
          message: text,
        },
      },
      issue: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: { type: "string", enum: ["existing", "per-run"] },
          uid: text,
          parent_uid: { ...text, description: "of a native recurring job" },
          title: text,
          body: text,
          scheduled_offset_seconds: seconds,
          deadline_offset_seconds: seconds,
        },
      },
      overlap: { type: "string", enum: ["forbid", "allow"] },
      catchup: { type: "string", enum: ["skip", "latest", "all"] },
      checkout_key: text,
      grace_seconds: seconds,
      timeout_seconds: seconds,
      secret_refs: { type: "object", additionalProperties: text },
      options: object,
    },
  }),
);

export const WorkflowDefinition = component("WorkflowDefinition", () =>
  document().meta({
    type: "object",
    additionalProperties: false,
    description: `at most ${MAX_DEFINITION_BYTES} bytes; unknown fields are refused`,
    required: ["version", "steps"],
    properties: {
      version: { type: "integer", enum: [1] },
      about: text,
      input: text,
      steps: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          additionalProperties: false,
          required: ["key", "kind"],
          properties: {
            key: text,
            kind: { type: "string", enum: ["command", "prompt"] },
            command: text,
            prompt: text,
            after: { type: "array", items: text, description: "keys of earlier steps" },
            retries: { type: "integer", minimum: 0, maximum: 100 },
            options: object,
          },
        },
      },
      options: object,
    },
  }),
);

/** What is answered may have members that a client does not know yet. */
const Stored = (what: string) => document().meta({ ...object, description: what });

const record = () => ({
  id: z.int(),
  uid: z.string(),
  project_id: ProjectId(),
  name: z.string(),
  definition_event_uid: z.string().describe("what a change must name as expected_event_uid"),
  definition_hlc: z.looseObject({
    version: z.int(),
    physical_ms: z.int(),
    counter: z.int(),
    origin_instance_uid: z.string(),
  }),
  author: z.string(),
  revision: z.int(),
  created_at: Instant(),
  updated_at: Instant(),
  deleted_at: Instant().optional().describe("of tombstones"),
});

export const CronJob = component("CronJob", () =>
  z.looseObject({ ...record(), definition: Stored("a JobDefinition") }),
);

export const CronWorkflow = component("CronWorkflow", () =>
  z.looseObject({ ...record(), definition: Stored("a WorkflowDefinition") }),
);

const CronParams = shape(() => z.object({ project_id: ProjectId(), cron_uid: CronUid() }));

const listQuery = shape(() =>
  z.object({ include_deleted: z.boolean().optional().describe("tombstones too") }),
);

/** A missing one is a conflict as a stale one is, so the schema does not ask for it (doc 2, rule 1). */
const Expected = () =>
  z.string().optional().describe("the record's definition_event_uid; required");

/** Members that stand twice are refused, and the document is measured as it came (facts cron-and-inbox 2.1). */
const strict = { maxBytes: { definition: MAX_DEFINITION_BYTES } } as const;

const PLACE = ["project_not_found"] as const;
const CHANGE = ["project_not_found", "not_found", "cron_conflict"] as const;

export const JobResponse = component("CronJobResponse", () => z.looseObject({ job: CronJob() }));
export const JobMutation = component("CronJobMutation", () =>
  z.looseObject({ job: CronJob(), events: z.array(Event()) }),
);
export const WorkflowResponse = component("CronWorkflowResponse", () =>
  z.looseObject({ workflow: CronWorkflow() }),
);
export const WorkflowMutation = component("CronWorkflowMutation", () =>
  z.looseObject({ workflow: CronWorkflow(), events: z.array(Event()) }),
);

const JOBS = "/projects/{project_id}/cron/jobs";
const WORKFLOWS = "/projects/{project_id}/cron/workflows";

const change = component("CronChangeRequest", () =>
  z.strictObject({ expected_event_uid: Expected(), actor: Actor() }),
);

/** For clients that cannot send a body with DELETE; where both forms are given they agree. */
const changeQuery = shape(() => z.object({ expected_event_uid: Expected(), actor: Actor() }));

export const listCronJobs = route({
  id: "listCronJobs",
  method: "GET",
  path: JOBS,
  access: "read",
  tag,
  summary: "list the jobs of a project by name",
  params: ProjectParams,
  query: listQuery,
  response: component("CronJobList", () => z.looseObject({ jobs: z.array(CronJob()) })),
  errors: PLACE,
});

export const createCronJob = route({
  id: "createCronJob",
  method: "POST",
  path: JOBS,
  access: "write",
  tag,
  summary: "define a job; a uid that is kept is never an update",
  params: ProjectParams,
  strict,
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
  tag,
  summary: "show a job, also one that was deleted",
  params: CronParams,
  response: JobResponse,
  errors: ["project_not_found", "not_found"],
});

export const replaceCronJob = route({
  id: "replaceCronJob",
  method: "PATCH",
  path: `${JOBS}/{cron_uid}`,
  access: "write",
  tag,
  summary: "replace the name and the whole definition of a job",
  params: CronParams,
  strict,
  body: component("ReplaceCronJobRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: JobDefinition(),
      expected_event_uid: Expected(),
      actor: Actor(),
    }),
  ),
  response: JobMutation,
  errors: CHANGE,
});

export const archiveCronJob = route({
  id: "archiveCronJob",
  method: "DELETE",
  path: `${JOBS}/{cron_uid}`,
  access: "write",
  tag,
  summary: "delete a job; a tombstone stays readable",
  params: CronParams,
  query: changeQuery,
  body: change,
  response: JobMutation,
  errors: CHANGE,
});

export const restoreCronJob = route({
  id: "restoreCronJob",
  method: "POST",
  path: `${JOBS}/{cron_uid}/restore`,
  access: "write",
  tag,
  summary: "bring a deleted job back",
  params: CronParams,
  body: change,
  response: JobMutation,
  errors: CHANGE,
});

export const listCronWorkflows = route({
  id: "listCronWorkflows",
  method: "GET",
  path: WORKFLOWS,
  access: "read",
  tag,
  summary: "list the workflows of a project by name",
  params: ProjectParams,
  query: listQuery,
  response: component("CronWorkflowList", () =>
    z.looseObject({ workflows: z.array(CronWorkflow()) }),
  ),
  errors: PLACE,
});

export const createCronWorkflow = route({
  id: "createCronWorkflow",
  method: "POST",
  path: WORKFLOWS,
  access: "write",
  tag,
  summary: "define a workflow; a uid that is kept is never an update",
  params: ProjectParams,
  strict,
  status: 201,
  body: component("CreateCronWorkflowRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: WorkflowDefinition(),
      actor: Actor(),
      uid: CronUid().optional(),
    }),
  ),
  response: WorkflowMutation,
  errors: ["project_not_found", "cron_conflict"],
});

export const showCronWorkflow = route({
  id: "showCronWorkflow",
  method: "GET",
  path: `${WORKFLOWS}/{cron_uid}`,
  access: "read",
  tag,
  summary: "show a workflow, also one that was deleted",
  params: CronParams,
  response: WorkflowResponse,
  errors: ["project_not_found", "not_found"],
});

export const replaceCronWorkflow = route({
  id: "replaceCronWorkflow",
  method: "PATCH",
  path: `${WORKFLOWS}/{cron_uid}`,
  access: "write",
  tag,
  summary: "replace the name and the whole definition of a workflow",
  params: CronParams,
  strict,
  body: component("ReplaceCronWorkflowRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: WorkflowDefinition(),
      expected_event_uid: Expected(),
      actor: Actor(),
    }),
  ),
  response: WorkflowMutation,
  errors: CHANGE,
});

export const archiveCronWorkflow = route({
  id: "archiveCronWorkflow",
  method: "DELETE",
  path: `${WORKFLOWS}/{cron_uid}`,
  access: "write",
  tag,
  summary: "delete a workflow that no live job uses; a tombstone stays readable",
  params: CronParams,
  query: changeQuery,
  body: change,
  response: WorkflowMutation,
  errors: CHANGE,
});

export const restoreCronWorkflow = route({
  id: "restoreCronWorkflow",
  method: "POST",
  path: `${WORKFLOWS}/{cron_uid}/restore`,
  access: "write",
  tag,
  summary: "bring a deleted workflow back",
  params: CronParams,
  body: change,
  response: WorkflowMutation,
  errors: CHANGE,
});
