import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import {
  DEFAULT_BODY_BYTES,
  MAX_ISSUE_LABELS,
  MAX_TITLE_CHARACTERS,
} from "../../../contract/limits.ts";
import { createRecurrence, patchRecurrence } from "../../../contract/recurrences.ts";
import { ifMatch } from "../../../shared/revision.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { personNamed } from "../../person.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { Recurrence, recurrenceOf, SHORT } from "./recurrence-output.ts";

const title = z.string().min(1).max(MAX_TITLE_CHARACTERS).describe("one line");

const template = {
  body: z.string().max(DEFAULT_BODY_BYTES).optional().describe("Markdown"),
  owner: inputs.actor.optional().describe("who works on it"),
  priority: inputs.priority,
  labels: z.array(z.string()).max(MAX_ISSUE_LABELS).optional().describe("labels, in lower case"),
  metadata: z.record(z.string(), z.unknown()).optional().describe("keys with values"),
};

const clear = z.literal(true).optional();

const input = z.strictObject({
  project: inputs.ownProject,
  action: z.enum(["create", "patch"]).describe("create a series or change one"),
  rrule: z
    .string()
    .min(1)
    .optional()
    .describe("RFC 5545 rule, such as FREQ=WEEKLY; create needs it"),
  dtstart: z.string().optional().describe("first day, YYYY-MM-DD; create needs it"),
  timezone: z.string().optional().describe("IANA zone; create needs it"),
  template: z
    .strictObject({ title, ...template })
    .optional()
    .describe("create: what each new issue is like"),
  initial_issue_ref: inputs.ref
    .optional()
    .describe("create: an open issue that becomes the first of the series"),
  uid: inputs.uid.optional().describe("patch: which series"),
  revision: z.int().min(1).optional().describe("patch: refuse unless this is its revision"),
  template_patch: z
    .strictObject({
      title: title.optional(),
      ...template,
      clear_owner: clear.describe("remove the owner"),
      clear_priority: clear.describe("remove the priority"),
    })
    .optional()
    .describe("patch: members to change"),
});

type Input = z.output<typeof input>;

const NEEDS: Readonly<Record<Input["action"], readonly (keyof Input)[]>> = {
  create: ["rrule", "dtstart", "timezone", "template"],
  patch: ["uid", "revision"],
};
const REFUSES: Readonly<Record<Input["action"], readonly (keyof Input)[]>> = {
  create: ["uid", "revision", "template_patch"],
  patch: ["template", "initial_issue_ref"],
};

export const recurrenceUpdate = tool({
  name: "svc.recurrence_update",
  title: "Create or change a series",
  description:
    "A series is a rule by which issues are created again and again: closing one of its issues as done creates the next.",
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: false },
  input,
  output: z.strictObject({
    project: ProjectIdentity,
    recurrence: Recurrence,
    changed: z.boolean(),
  }),
  async run(input, context) {
    const { scope, call, actor } = context;
    requireMembers(input);
    const project = await scope.project(input.project);
    const { rrule, dtstart, timezone } = input;
    if (input.action === "create") {
      if (input.initial_issue_ref !== undefined)
        await scope.issue(input.initial_issue_ref, "initial_issue_ref");
      const { recurrence } = await call(createRecurrence, {
        params: { project_id: project.id },
        body: {
          rrule: rrule ?? "",
          dtstart: dtstart ?? "",
          timezone: timezone ?? "",
          template: { title: "", ...(await templateOf(input.template ?? {}, context)) },
          initial_issue_ref: input.initial_issue_ref,
          actor,
        },
      });
      return { project, recurrence: recurrenceOf(recurrence, SHORT), changed: true };
    }
    const template_patch =
      input.template_patch && (await templateOf(input.template_patch, context));
    const { recurrence, changed } = await call(patchRecurrence, {
      params: { project_id: project.id, recurrence_uid: input.uid ?? "" },
      headers: ifMatch(input.revision),
      body: {
        rrule,
        dtstart,
        timezone,
        actor,
        ...(template_patch && { template: template_patch }),
      },
    });
    return { project, recurrence: recurrenceOf(recurrence, SHORT), changed };
  },
});

function requireMembers(input: Input): void {
  const { action } = input;
  const missing = NEEDS[action].find((name) => input[name] === undefined);
  if (missing !== undefined)
    throw new ToolError(`invalid arguments: ${missing}: ${action} needs it`);
  const other = REFUSES[action].find((name) => input[name] !== undefined);
  if (other !== undefined) throw new ToolError(`invalid arguments: ${other}: ${action} takes none`);
  const changes = [input.rrule, input.dtstart, input.timezone, input.template_patch];
  if (action === "patch" && changes.every((value) => value === undefined))
    throw new ToolError("invalid arguments: name at least one change");
}

interface Template {
  readonly owner?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/**
 * Replaces `me` as the owner by the server's actor. Changes only the type of the metadata, which came as JSON and so
 * contains only JSON values.
 */
async function templateOf<T extends Template>(
  template: T,
  context: ToolContext,
): Promise<
  Omit<T, "owner" | "metadata"> & { readonly owner?: string; readonly metadata?: JsonObject }
> {
  const { owner, metadata, ...rest } = template;
  return {
    ...rest,
    ...(owner !== undefined && { owner: await personNamed(owner, context) }),
    ...(metadata !== undefined && { metadata: metadata as JsonObject }),
  };
}
