import { z } from "zod";
import { MAX_UNDO_EVENTS } from "./limits.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Confirm, Count, Instant, KnownOwner, ProjectParams } from "./values.ts";

const tag = "undo";

/** What can be put back of an issue, as an undo names it. */
export const UNDO_FIELDS = [
  "issue",
  "title",
  "body",
  "owner",
  "priority",
  "status",
  "deleted",
  "project",
  "metadata",
  "label",
  "parent",
  "link",
  "comment",
  "lease",
  "series",
] as const;

const UndoRequest = component("UndoRequest", () =>
  z.strictObject({
    of_actor: KnownOwner().describe("whose changes are taken back"),
    since: z.string().describe("RFC 3339; changes of this instant count"),
    until: z.string().optional().describe("RFC 3339; now unless said"),
    undone_until: z
      .string()
      .optional()
      .describe(
        "RFC 3339: what the actor did after until and up to then is taken back already, as a portion of the same undo",
      ),
    dry_run: z.boolean().optional().describe("only answer what would be done"),
    actor: Actor(),
  }),
);

const Place = () => ({
  issue_uid: z.string(),
  qualified_id: z.string(),
  issue_title: z.string(),
  field: z.enum(UNDO_FIELDS),
  name: z.string().optional().describe("the metadata key, label, comment or other issue"),
});

const Value = () => z.union([z.string(), z.number(), z.boolean()]).nullable();

const UndoRevert = component("UndoRevert", () =>
  z.looseObject({
    ...Place(),
    from: Value().describe("as it is; null is none, JSON text for what is no text or number"),
    to: Value().describe("as it becomes"),
    event_ids: z.array(z.int()).describe("the changes that this takes back"),
  }),
);

const UndoConflict = component("UndoConflict", () =>
  z.looseObject({
    ...Place(),
    reason: z.enum([
      "changed_later",
      "leased",
      "project_archived",
      "open_children",
      "parent_circle",
    ]),
    event_ids: z.array(z.int()).describe("the changes that cannot be taken back for it"),
    later: z
      .array(
        z.looseObject({ event_id: z.int(), type: z.string(), actor: z.string(), at: Instant() }),
      )
      .describe("with changed_later: what stands on it"),
    message: z.string(),
  }),
);

const UndoKept = component("UndoKept", () =>
  z.looseObject({
    event_id: Count().describe("0: a purge, which is no event"),
    type: z.string(),
    qualified_id: z.string().optional(),
    at: Instant(),
    reason: z.string(),
  }),
);

const UndoResponse = component("UndoResponse", () =>
  z.looseObject({
    of_actor: z.string(),
    since: Instant(),
    until: Instant(),
    project_id: Count().describe("0: all projects"),
    event_count: Count().describe("changes that were found"),
    reverts: z.array(UndoRevert()),
    conflicts: z.array(UndoConflict()).describe("any of them refuses the whole"),
    kept: z.array(UndoKept()).describe("changes that no undo takes back"),
    undone_before: Count().describe("changes that an undo took back already"),
    confirm: z.string().describe("what X-Svc-Confirm must say to do it"),
    changed: z.boolean(),
    batch: z
      .looseObject({
        batch_uid: z.string(),
        actor: z.string(),
        at: Instant(),
        event_ids: z.array(z.int()),
      })
      .optional()
      .describe("when it was done"),
  }),
);

const errors = ["undo_too_large", "undo_conflict", "confirm_required", "confirm_mismatch"] as const;
const confirmed = shape(() => z.object({ "x-svc-confirm": Confirm() }));
const summary = `take back what one actor did in a span of time, at most ${MAX_UNDO_EVENTS} changes`;

export const undoGlobal = route({
  id: "undoGlobal",
  lengthy: true,
  method: "POST",
  path: "/undo",
  access: "write",
  tag,
  summary: `${summary}, in every project`,
  headers: confirmed,
  body: UndoRequest,
  response: UndoResponse,
  errors,
});

export const undoProject = route({
  id: "undoProject",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/undo",
  access: "write",
  tag,
  summary: `${summary}, in one project`,
  params: ProjectParams,
  headers: confirmed,
  body: UndoRequest,
  response: UndoResponse,
  errors: ["project_not_found", ...errors],
});
