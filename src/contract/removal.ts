import { z } from "zod";
import { IssueOut, MutationResponse } from "./objects.ts";
import { erasure, PurgeLog } from "./purges.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Confirm, IfMatch, Reason } from "./values.ts";

const route = routesOf("issue actions");

const confirmed = shape(() => z.object({ "x-svc-confirm": Confirm() }));

export const moveIssue = route({
  id: "moveIssue",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/move",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "move an issue to another project; If-Match is required",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("MoveIssueRequest", () =>
    z.strictObject({
      to_project_uid: z.string().describe("uid of the target project"),
      actor: Actor(),
    }),
  ),
  response: component("MoveResponse", () =>
    z.looseObject({
      issue: IssueOut(),
      event_id: z.int(),
      new_short_id: z
        .string()
        .optional()
        .describe("present if the old short id is taken in the target project"),
      changed: z.boolean(),
    }),
  ),
  responseHeaders: { ETag: 'the revision of the issue as "rev-N"' },
  errors: [
    "same_project",
    "recurrence_pinned",
    "revision_conflict",
    "cron_conflict",
    "federated_move_unsupported",
  ],
});

export const deleteIssue = route({
  id: "deleteIssue",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/delete",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "delete an issue, which can be restored; X-Svc-Confirm: DELETE <project>#<short_id>",
  headers: confirmed,
  body: component("DeleteIssueRequest", () => z.strictObject({ reason: Reason(), actor: Actor() })),
  response: MutationResponse,
  errors: ["confirm_required", "confirm_mismatch"],
});

export const restoreIssue = route({
  id: "restoreIssue",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/restore",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "restore a deleted issue as it was",
  body: component("RestoreIssueRequest", () => z.strictObject({ actor: Actor() })),
  response: MutationResponse,
});

export const purgeIssue = route({
  id: "purgeIssue",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/purge",
  access: "write",
  fenced: "gate",
  summary: "erase an issue and its history; X-Svc-Confirm: PURGE <project>#<short_id>",
  headers: confirmed,
  body: component("PurgeIssueRequest", () => z.strictObject({ reason: Reason(), actor: Actor() })),
  response: component("PurgeIssueResponse", () =>
    z.looseObject({ purge_log: PurgeLog(), ...erasure() }),
  ),
  errors: ["confirm_required", "confirm_mismatch"],
});
