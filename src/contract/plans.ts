import { z } from "zod";
import {
  MAX_ISSUE_LABELS,
  MAX_PLAN_ISSUES,
  MAX_PLAN_NAME_CHARACTERS,
  PLAN_BODY_BYTES,
} from "./limits.ts";
import { warnings } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";
import { Actor, Body, Count, Label, Metadata, Owner, Priority, Title } from "./values.ts";

const route = routesOf("plans");

const LocalName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be 1 to 64 of A-Z a-z 0-9 . _ -")
    .describe("name by which other issues of the plan refer to this one");

/** A name of the plan takes precedence over a ref to an existing issue. */
const Target = () =>
  z.string().describe("name of an issue of this plan, or a ref to an existing issue");

const PlanIssue = component("PlanIssue", () =>
  z.strictObject({
    name: LocalName(),
    title: Title(),
    body: Body().optional(),
    owner: Owner().optional(),
    priority: Priority().optional(),
    labels: z.array(Label()).max(MAX_ISSUE_LABELS).optional(),
    parent: Target().optional(),
    blocks: z.array(Target()).max(MAX_PLAN_ISSUES).optional(),
    blocked_by: z.array(Target()).max(MAX_PLAN_ISSUES).optional(),
    related: z.array(Target()).max(MAX_PLAN_ISSUES).optional(),
    scheduled_on: z.string().optional().describe("sets the metadata key of the same name"),
    deadline_on: z.string().optional().describe("sets the metadata key of the same name"),
    metadata: Metadata().optional(),
  }),
);

const planned = () => ({
  name: z.string(),
  uid: z.string(),
  short_id: z.string(),
  qualified_id: z.string(),
});

export const applyPlan = route({
  id: "applyPlan",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/plans",
  access: "write",
  local: true,
  summary: "create a tree of issues in one step, all or none",
  maxBodyBytes: PLAN_BODY_BYTES,
  body: component("ApplyPlanRequest", () =>
    z.strictObject({
      plan: z
        .string()
        .regex(
          new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${MAX_PLAN_NAME_CHARACTERS - 1}}$`),
          `must be 1 to ${MAX_PLAN_NAME_CHARACTERS} of A-Z a-z 0-9 . _ -`,
        )
        .optional()
        .describe(
          "name of the plan; issues that were created under this name before are not created again; default a digest of the issues",
        ),
      issues: z.array(PlanIssue()).min(1).max(MAX_PLAN_ISSUES),
      actor: Actor(),
    }),
  ),
  response: component("ApplyPlanResponse", () =>
    z.looseObject({
      plan: z.string(),
      changed: z.boolean(),
      created: Count(),
      issues: z.array(
        z.looseObject({
          ...planned(),
          created: z.boolean().describe("false if the issue existed already"),
        }),
      ),
      ready: z
        .array(z.looseObject({ ...planned(), title: z.string() }))
        .describe("issues of the plan that are ready"),
      ...warnings(),
    }),
  ),
  errors: ["plan_invalid", "claim_denied", "claim_expired"],
});
