import { z } from "zod";
import { definitionRoutes } from "./cron-definitions.ts";
import {
  definitionDocument,
  ListQuery,
  OBJECT,
  recordFields,
  StoredDefinition,
  TEXT,
} from "./cron-records.ts";
import { MAX_DEFINITION_BYTES } from "./limits.ts";
import { Event } from "./objects.ts";
import { component } from "./shape.ts";

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

export const {
  list: listCronWorkflows,
  create: createCronWorkflow,
  show: showCronWorkflow,
  replace: replaceCronWorkflow,
  archive: archiveCronWorkflow,
  restore: restoreCronWorkflow,
} = definitionRoutes({
  noun: "workflow",
  definition: WorkflowDefinition,
  listQuery: ListQuery,
  list: component("CronWorkflowList", () => z.looseObject({ workflows: z.array(CronWorkflow()) })),
  one: WorkflowResponse,
  mutation: WorkflowMutation,
  deleted: "a workflow that no live job uses",
});
