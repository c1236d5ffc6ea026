import { z } from "zod";
import { MAX_UNDO_EVENTS } from "./limits.ts";
import { warnings } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Confirm, Count, Instant, KnownOwner } from "./values.ts";

const route = routesOf("undo");

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
    of_actor: KnownOwner().describe("the actor whose changes are undone"),
    since: z.string().describe("RFC 3339, inclusive"),
    until: z.string().optional().describe("RFC 3339, default now"),
    undone_until: z
      .string()
      .optional()
      .describe(
        "RFC 3339; in a later portion of a long undo: the end of the time span that earlier portions have already undone, which begins after until",
      ),
    dry_run: z.boolean().optional().describe("report what would be done and change nothing"),
    actor: Actor(),
  }),
);

const Place = () => ({
  issue_uid: z.string(),
  qualified_id: z.string(),
  issue_title: z.string(),
  field: z.enum(UNDO_FIELDS),
  name: z.string().optional().describe("name of the metadata key, label, comment or other issue"),
});

const Value = () => z.union([z.string(), z.number(), z.boolean()]).nullable();

const UndoRevert = component("UndoRevert", () =>
  z.looseObject({
    ...Place(),
    from: Value().describe(
      "current value; null for none, JSON text for anything but text and numbers",
    ),
    to: Value().describe("value after the undo"),
    event_ids: z.array(z.int()).describe("the events that this undoes"),
  }),
);

export const UndoConflict = component("UndoConflict", () =>
  z.looseObject({
    ...Place(),
    reason: z.enum([
      "changed_later",
      "leased",
      "project_archived",
      "open_children",
      "parent_circle",
    ]),
    event_ids: z
      .array(z.int())
      .describe("the events that cannot be undone because of this conflict"),
    later: z
      .array(
        z.looseObject({ event_id: z.int(), type: z.string(), actor: z.string(), at: Instant() }),
      )
      .describe("with changed_later: the later events that depend on the change"),
    message: z.string(),
  }),
);

const UndoKept = component("UndoKept", () =>
  z.looseObject({
    event_id: Count().describe("0 for a purge, which is no event"),
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
    project_id: Count().describe("0 means all projects"),
    event_count: Count().describe("number of changes found"),
    reverts: z.array(UndoRevert()),
    conflicts: z.array(UndoConflict()).describe("if there is any, nothing is undone"),
    kept: z.array(UndoKept()).describe("changes that cannot be undone at all"),
    undone_before: Count().describe("number of changes that were undone before"),
    confirm: z.string().describe("the X-Svc-Confirm value that carries out this undo"),
    changed: z.boolean(),
    batch: z
      .looseObject({
        batch_uid: z.string(),
        actor: z.string(),
        at: Instant(),
        event_ids: z.array(z.int()),
      })
      .optional()
      .describe("present if the undo was carried out"),
    ...warnings(),
  }),
);

const errors = ["undo_too_large", "undo_conflict", "confirm_required", "confirm_mismatch"] as const;
const confirmed = shape(() => z.object({ "x-svc-confirm": Confirm() }));
const summary = `undo what one actor did in a span of time, at most ${MAX_UNDO_EVENTS} changes`;

export const undoGlobal = route({
  id: "undoGlobal",
  lengthy: true,
  method: "POST",
  path: "/undo",
  access: "write",
  local: true,
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
  local: true,
  summary: `${summary}, in one project`,
  headers: confirmed,
  body: UndoRequest,
  response: UndoResponse,
  errors,
});
