import { z } from "zod";
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

export const WorkflowDefinition = component("WorkflowDefinition", () =>
  definitionDocument().meta({
    type: "object",
    additionalProperties: false,
    description: `at most ${MAX_DEFINITION_BYTES} bytes; unknown fields are refused`,
    required: ["version", "steps"],
    properties: {
      version: { type: "integer", enum: [1] },
      about: TEXT,
      input: TEXT,
      steps: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          additionalProperties: false,
          required: ["key", "kind"],
          properties: {
            key: TEXT,
            kind: { type: "string", enum: ["command", "prompt"] },
            command: TEXT,
            prompt: TEXT,
            after: { type: "array", items: TEXT, description: "keys of earlier steps" },
            retries: { type: "integer", minimum: 0, maximum: 100 },
            options: OBJECT,
          },
        },
      },
      options: OBJECT,
    },
  }),
);

export const CronWorkflow = component("CronWorkflow", () =>
  z.looseObject({ ...recordFields(), definition: StoredDefinition("a WorkflowDefinition") }),
);

export const WorkflowResponse = component("CronWorkflowResponse", () =>
  z.looseObject({ workflow: CronWorkflow() }),
);
export const WorkflowMutation = component("CronWorkflowMutation", () =>
  z.looseObject({ workflow: CronWorkflow(), events: z.array(Event()) }),
);

const WORKFLOWS = "/projects/{project_id}/cron/workflows";

export const listCronWorkflows = route({
  id: "listCronWorkflows",
  method: "GET",
  path: WORKFLOWS,
  access: "read",
  summary: "list the workflows of a project by name",
  params: ProjectParams,
  query: ListQuery,
  response: component("CronWorkflowList", () =>
    z.looseObject({ workflows: z.array(CronWorkflow()) }),
  ),
  errors: ["project_not_found"],
});

export const createCronWorkflow = route({
  id: "createCronWorkflow",
  method: "POST",
  path: WORKFLOWS,
  access: "write",
  summary: "create a workflow; a uid that exists is refused, never updated",
  params: ProjectParams,
  strict: AS_SENT,
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
  summary: "show a workflow, including a deleted one",
  params: CronParams,
  response: WorkflowResponse,
  errors: ["project_not_found", "not_found"],
});

export const replaceCronWorkflow = route({
  id: "replaceCronWorkflow",
  method: "PATCH",
  path: `${WORKFLOWS}/{cron_uid}`,
  access: "write",
  summary: "replace the name and the whole definition of a workflow",
  params: CronParams,
  strict: AS_SENT,
  body: component("ReplaceCronWorkflowRequest", () =>
    z.strictObject({
      name: RecordName(),
      definition: WorkflowDefinition(),
      expected_event_uid: ExpectedEvent(),
      actor: Actor(),
    }),
  ),
  response: WorkflowMutation,
  errors: CHANGE_ERRORS,
});

export const archiveCronWorkflow = route({
  id: "archiveCronWorkflow",
  method: "DELETE",
  path: `${WORKFLOWS}/{cron_uid}`,
  access: "write",
  summary: "delete a workflow that no live job uses; it stays readable",
  params: CronParams,
  query: ChangeQuery,
  body: ChangeRequest,
  response: WorkflowMutation,
  errors: CHANGE_ERRORS,
});

export const restoreCronWorkflow = route({
  id: "restoreCronWorkflow",
  method: "POST",
  path: `${WORKFLOWS}/{cron_uid}/restore`,
  access: "write",
  summary: "restore a deleted workflow",
  params: CronParams,
  body: ChangeRequest,
  response: WorkflowMutation,
  errors: CHANGE_ERRORS,
});
