import { z } from "zod";
import { EVIDENCE_TYPES } from "./evidence.ts";
import { MAX_EVIDENCE, MAX_EVIDENCE_PATHS } from "./limits.ts";
import { Event, IssueOut, MutationResponse, warnings } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import {
  Actor,
  CloseReason,
  IdempotencyKey,
  IfMatch,
  KnownOwner,
  Owner,
  Priority,
} from "./values.ts";

const route = routesOf("issue actions");

const action = {
  method: "POST",
  access: "write",
  local: true,
  fenced: "gate",
  response: MutationResponse,
} as const;

/**
 * The schema allows each field with each `type` of evidence. The operation then refuses a field that belongs to another
 * type (docs/contract/http-api.md#42-close-reasons-messages-and-evidence).
 */
const Evidence = component("Evidence", () =>
  z.strictObject({
    type: z.enum(EVIDENCE_TYPES),
    sha: z.string().optional().describe("for type commit: 7 to 40 hex digits"),
    url: z.string().optional().describe("for type pr: an http or https URL"),
    command: z.string().optional().describe("for type test: the command that was run"),
    paths: z
      .array(z.string())
      .max(MAX_EVIDENCE_PATHS)
      .optional()
      .describe("for type reviewed-paths"),
    account: z
      .string()
      .optional()
      .describe("for type external: a description of the work done elsewhere"),
    rationale: z.string().optional().describe("for type no-change-audit"),
    issue_ref: z.string().optional().describe("for types duplicate-of and superseded-by"),
  }),
);

export const closeIssue = route({
  ...action,
  id: "closeIssue",
  path: "/projects/{project_id}/issues/{ref}/actions/close",
  summary: "close an issue with a reason, a message and evidence",
  headers: shape(() => z.object({ "idempotency-key": IdempotencyKey(), "if-match": IfMatch() })),
  body: component("CloseIssueRequest", () =>
    z.strictObject({
      reason: CloseReason().optional(),
      message: z.string().optional(),
      evidence: z.array(Evidence()).max(MAX_EVIDENCE).optional(),
      source: z
        .enum(["tui", ""])
        .optional()
        .describe(
          "the terminal screen sends tui: a person at the machine may close without message and evidence",
        ),
      dry_run: z.boolean().optional().describe("run all checks and change nothing"),
      retry_protocol: z.enum(["close-v1", ""]).optional(),
      actor: Actor(),
    }),
  ),
  errors: [
    "retry_protocol_required",
    "idempotency_mismatch",
    "issue_already_closed",
    "issue_moved",
    "parent_has_open_children",
    "sibling_throttle",
    "duplicate_message",
    "revision_conflict",
  ],
});

export const reopenIssue = route({
  ...action,
  id: "reopenIssue",
  path: "/projects/{project_id}/issues/{ref}/actions/reopen",
  summary: "reopen a closed issue",
  body: component("ActorRequest", () => z.strictObject({ actor: Actor() })),
});

export const assignIssue = route({
  ...action,
  id: "assignIssue",
  path: "/projects/{project_id}/issues/{ref}/actions/assign",
  summary: "set the owner",
  body: component("AssignIssueRequest", () => z.strictObject({ owner: Owner(), actor: Actor() })),
});

export const unassignIssue = route({
  ...action,
  id: "unassignIssue",
  path: "/projects/{project_id}/issues/{ref}/actions/unassign",
  summary: "clear the owner",
  body: component("UnassignIssueRequest", () =>
    z.strictObject({
      expected_owner: KnownOwner()
        .optional()
        .describe("refuse the request if somebody else owns the issue"),
      actor: Actor(),
    }),
  ),
  errors: ["owner_mismatch"],
});

export const claimIssue = route({
  ...action,
  id: "claimIssue",
  path: "/projects/{project_id}/issues/{ref}/actions/claim",
  summary: "claim an issue: become its owner",
  body: component("ClaimIssueRequest", () =>
    z.strictObject({
      force: z
        .boolean()
        .optional()
        .describe("take the issue over from its owner; cannot be combined with if_unowned"),
      if_unowned: z
        .boolean()
        .optional()
        .describe("refuse the request if the issue has any owner, even the actor"),
      actor: Actor(),
    }),
  ),
  response: component("ClaimResponse", () =>
    z.looseObject({
      issue: IssueOut(),
      event: Event().nullable(),
      events: z.array(Event()),
      changed: z.boolean(),
      previous_owner: z.string().optional(),
      ...warnings(),
    }),
  ),
  errors: ["already_claimed", "federation_offline", "hub_claim_failed"],
});

export const setIssuePriority = route({
  ...action,
  id: "setIssuePriority",
  path: "/projects/{project_id}/issues/{ref}/actions/priority",
  summary: "set or clear the priority",
  body: component("SetIssuePriorityRequest", () =>
    z.strictObject({ priority: Priority().nullable(), actor: Actor() }),
  ),
});
