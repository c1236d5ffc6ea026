import { z } from "zod";
import { MAX_BRIDGE_TEXT, MAX_CONNECTOR_INSTANCE, MAX_EXTERNAL_FIELD } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Count, Instant } from "./values.ts";

const route = routesOf("connectors");

const Instance = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_CONNECTOR_INSTANCE)
    .describe("the id of a [[connector]] in config.toml");

const SvcField = shape(() => z.enum(["scheduled_on", "deadline_on"]));
const FieldKind = shape(() => z.enum(["null", "date", "local_datetime", "instant"]));

const FieldValue = component("ExternalFieldValue", () =>
  z.looseObject({
    kind: FieldKind(),
    value: z.string().optional().describe("absent for the kind null"),
    timezone: z.string().optional().describe("IANA name; only of a local_datetime"),
  }),
);

const FieldConflict = component("BridgeFieldConflict", () =>
  z.looseObject({
    field: SvcField(),
    local_candidate: FieldValue()
      .optional()
      .describe("the value here; absent if that is no valid date"),
    external_candidate: FieldValue()
      .optional()
      .describe("the value there; absent if the field is gone"),
    conflict_at: Instant().optional(),
  }),
);

/** The tie of an issue to a record of another tracker, without what names that record or the account. */
const Bridge = component("Bridge", () =>
  z.looseObject({
    id: z.int().describe("local id of the bridge on this daemon"),
    uid: z.string(),
    project_id: z.int(),
    issue_id: z.int(),
    connector_instance: z.string(),
    active: z.boolean().describe("false after the end of the bridge"),
    enabled: z.boolean().describe("false while it is paused, and after its end"),
    receive_comments: z.boolean(),
    publish_comments: z.boolean(),
    complete_external: z.boolean().describe("whether closing the issue completes the root"),
    consecutive_failures: Count(),
    field_conflicts: z.array(FieldConflict()),
    last_attempt_at: Instant().optional(),
    last_success_at: Instant().optional(),
    last_error_at: Instant().optional(),
    last_external_updated_at: Instant().optional(),
    last_error: z
      .string()
      .optional()
      .describe("a fixed text, and the error code if the connector sent one"),
    last_external_state: z.enum(["open", "complete", "deleted"]).optional(),
    next_attempt_at: Instant().optional().describe("absent: at the next scan"),
    paused_reason: z.string().optional(),
    pending_comment_uid: z
      .string()
      .optional()
      .describe("the comment that is being published: the other side may have it or not"),
  }),
);

const Run = component("BridgeRun", () =>
  z.looseObject({
    bridge: Bridge(),
    root_updated: z.boolean().describe("whether title or body of the issue changed"),
    comments_created: Count(),
    comments_edited: Count(),
    field_conflicts: Count().describe("fields in conflict, new or not"),
    completion_requests: Count(),
    reopen_requests: Count(),
    paused: z.boolean().describe("whether the run paused the bridge"),
  }),
);

const Field = component("ConnectorField", () =>
  z.looseObject({
    id: z.string(),
    display_name: z.string(),
    accepted_kinds: z.array(FieldKind()),
    nullable: z.boolean(),
    writable: z.boolean(),
    schema_revision: z.string(),
  }),
);

const FieldMapping = component("ConnectorFieldMapping", () =>
  z.looseObject({
    svc_field: SvcField(),
    external_field_id: z.string(),
    external_field_name: z.string(),
    accepted_kinds: z.array(FieldKind()),
    nullable: z.boolean(),
    writable: z.boolean(),
    schema_revision: z.string(),
    active: z.boolean(),
  }),
);

const PARTS = { access: "connectors", pages: "none", lengthy: "unbounded" } as const;
const ISSUE = "/projects/{project_id}/issues/{ref}/bridge";
const CALL_ERRORS = ["bridge_not_found", "connector_error", "external_root_conflict"] as const;

export const listConnectorFields = route({
  ...PARTS,
  id: "listConnectorFields",
  method: "GET",
  path: "/connectors/{instance}/fields",
  summary: "list the date fields of a connector, and which are mapped (API 0.22.0)",
  params: shape(() => z.object({ instance: Instance() })),
  response: component("ListConnectorFieldsResponse", () =>
    z.looseObject({ fields: z.array(Field()), mappings: z.array(FieldMapping()) }),
  ),
  errors: [...CALL_ERRORS],
});

const fieldParams = shape(() => z.object({ instance: Instance(), svc_field: SvcField() }));

export const mapConnectorField = route({
  ...PARTS,
  id: "mapConnectorField",
  method: "PUT",
  path: "/connectors/{instance}/fields/{svc_field}",
  summary: "keep a date of all bound issues equal to a field of their roots (API 0.22.0)",
  params: fieldParams,
  body: component("MapConnectorFieldRequest", () =>
    z.strictObject({
      external_field: z
        .string()
        .trim()
        .min(1)
        .max(MAX_EXTERNAL_FIELD)
        .describe("its id, or its name if no other field has the same"),
    }),
  ),
  response: FieldMapping,
  errors: [...CALL_ERRORS, "external_field_not_found"],
});

export const unmapConnectorField = route({
  ...PARTS,
  id: "unmapConnectorField",
  method: "DELETE",
  path: "/connectors/{instance}/fields/{svc_field}",
  summary: "stop keeping a date equal to a field of the roots (API 0.22.0)",
  params: fieldParams,
  response: FieldMapping,
  errors: ["bridge_not_found", "external_field_not_found"],
});

export const reconcileExternalRootByKey = route({
  ...PARTS,
  id: "reconcileExternalRootByKey",
  method: "POST",
  path: "/connectors/{instance}/actions/reconcile-root",
  summary: "reconcile the issue of a root now, which the connector names by its key (API 0.22.0)",
  params: shape(() => z.object({ instance: Instance() })),
  body: component("ReconcileExternalRootByKeyRequest", () =>
    z.strictObject({ root_key: z.string().trim().min(1).max(MAX_BRIDGE_TEXT) }),
  ),
  response: Run,
  errors: ["bridge_not_found", "connector_error", "external_root_claim_lost"],
});

export const bindExternalRoot = route({
  ...PARTS,
  id: "bindExternalRoot",
  method: "POST",
  path: ISSUE,
  summary: "let a record of another tracker own the title and body of an issue (API 0.22.0)",
  body: component("BindExternalRootRequest", () =>
    z.strictObject({
      connector: Instance(),
      external: z
        .string()
        .trim()
        .min(1)
        .max(MAX_BRIDGE_TEXT)
        .describe("what names the record, in the way of the connector"),
      publish_comments: z
        .boolean()
        .optional()
        .describe("also write comments of the issue there, from now on; default false"),
      actor: Actor(),
    }),
  ),
  response: Bridge,
  errors: [...CALL_ERRORS, "external_root_claim_lost", "federated_read_only"],
});

export const getExternalRootBridge = route({
  ...PARTS,
  lengthy: false,
  id: "getExternalRootBridge",
  method: "GET",
  path: ISSUE,
  summary: "show the bridge of an issue (API 0.22.0)",
  response: Bridge,
  errors: ["bridge_not_found"],
});

export const unbindExternalRoot = route({
  ...PARTS,
  lengthy: false,
  id: "unbindExternalRoot",
  method: "DELETE",
  path: ISSUE,
  summary: "end the bridge of an issue, which keeps its words and comments (API 0.22.0)",
  query: shape(() => z.object({ actor: Actor() })),
  response: Bridge,
  errors: ["bridge_not_found", "external_root_conflict", "external_comment_pending"],
});

const Asked = (id: string) =>
  component(id, () =>
    z.strictObject({
      actor: Actor(),
      reason: z.string().max(MAX_BRIDGE_TEXT).optional().describe("why, in words"),
    }),
  );

export const pauseExternalRootBridge = route({
  ...PARTS,
  lengthy: false,
  id: "pauseExternalRootBridge",
  method: "POST",
  path: `${ISSUE}/actions/pause`,
  summary: "stop reconciling an issue; the root still owns title and body (API 0.22.0)",
  body: Asked("PauseExternalRootBridgeRequest"),
  response: Bridge,
  errors: ["bridge_not_found", "external_root_conflict"],
});

export const resumeExternalRootBridge = route({
  ...PARTS,
  id: "resumeExternalRootBridge",
  method: "POST",
  path: `${ISSUE}/actions/resume`,
  summary: "reconcile an issue again, if its root and account are the same (API 0.22.0)",
  body: Asked("ResumeExternalRootBridgeRequest"),
  response: Bridge,
  errors: [...CALL_ERRORS],
});

export const reconcileExternalRootBridge = route({
  ...PARTS,
  id: "reconcileExternalRootBridge",
  method: "POST",
  path: `${ISSUE}/actions/reconcile`,
  summary: "make an issue and its root alike now, and say what changed (API 0.22.0)",
  body: Asked("ReconcileExternalRootBridgeRequest"),
  response: Run,
  errors: [
    "bridge_not_found",
    "connector_error",
    "external_root_claim_lost",
    "federated_read_only",
  ],
});

export const resolveExternalField = route({
  ...PARTS,
  id: "resolveExternalField",
  method: "POST",
  path: `${ISSUE}/actions/resolve-field`,
  summary: "decide which of two dates in conflict holds (API 0.22.0)",
  body: component("ResolveExternalFieldRequest", () =>
    z.strictObject({
      field: SvcField(),
      use: z.enum(["local", "external"]).describe("the side whose value holds"),
      actor: Actor(),
    }),
  ),
  response: Bridge,
  errors: [...CALL_ERRORS, "external_root_claim_lost", "external_field_conflict"],
});

export const resolveExternalComment = route({
  ...PARTS,
  id: "resolveExternalComment",
  method: "POST",
  path: `${ISSUE}/actions/resolve-comment`,
  summary: "decide about a comment of which svc does not know whether it arrived (API 0.22.0)",
  body: component("ResolveExternalCommentRequest", () =>
    z
      .strictObject({
        action: z
          .enum(["adopt", "retry", "skip"])
          .describe("adopt: it is the named comment there; retry; skip: never publish it"),
        external_comment_id: z
          .string()
          .min(1)
          .max(MAX_BRIDGE_TEXT)
          .optional()
          .describe("required with adopt, and only there"),
        actor: Actor(),
      })
      .refine(
        ({ action, external_comment_id }) =>
          (action === "adopt") === (external_comment_id !== undefined),
        { path: ["external_comment_id"], error: "is required with adopt, and only there" },
      ),
  ),
  response: Bridge,
  errors: [...CALL_ERRORS, "external_comment_pending"],
});
