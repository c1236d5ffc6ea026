import { z } from "zod";
import { isUlid } from "../base/ulid.ts";
import { Project } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Count, Instant, ProjectName } from "./values.ts";

const route = routesOf("federation");

const MAX_URL_CHARACTERS = 2000;
const MAX_TOKEN_CHARACTERS = 4096;
const MAX_CAPABILITIES = 16;
const MAX_CATALOG_NAME = 256;

const Binding = component("FederationBinding", () =>
  z.looseObject({
    project_id: z.int(),
    role: z.enum(["hub", "spoke"]),
    hub_url: z.string(),
    hub_project_id: z.int().describe("the id of the project on the hub"),
    hub_project_uid: z.string(),
    replay_horizon_event_id: Count(),
    pull_cursor_event_id: Count().describe("all events of the hub up to this id were read"),
    push_enabled: z.boolean(),
    pushes_once_read: z
      .literal(true)
      .optional()
      .describe(
        "the copy reads all that the hub has, and then push_enabled becomes true by itself",
      ),
    push_cursor_event_id: Count(),
    actor: z.string().optional().describe("to whom the hub attributes what this daemon sends"),
    allow_insecure: z.boolean().describe("whether the token is sent by plain HTTP to any host"),
    enabled: z.boolean(),
    created_at: Instant(),
    updated_at: Instant(),
    last_sync_at: Instant().optional(),
  }),
);

/**
 * Makes a copy of a hub's project. The daemon then keeps reading the project by itself. The request repeats what the
 * hub's metadata says, since this route sends no request to the hub. The daemon sends a token to an address that the
 * caller chooses, so the caller needs the right to administer tokens.
 */
export const createFederationReplica = route({
  id: "createFederationReplica",
  method: "POST",
  path: "/federation/replicas",
  access: "tokens",
  pages: "none",
  summary: "keep a copy of a project of another daemon",
  body: component("CreateFederationReplicaRequest", () =>
    z.strictObject({
      hub_url: z
        .string()
        .max(MAX_URL_CHARACTERS)
        .regex(/^https?:\/\/\S+$/i, "must be an http or https URL")
        .describe("an http or https URL, with a path if the hub has one"),
      hub_project_id: z.int().positive(),
      hub_project_uid: z.string().refine(isUlid, "must be the uid of the project on the hub"),
      project_name: ProjectName().describe("its name on the hub"),
      replay_horizon_event_id: z.int().positive(),
      baseline_through_event_id: z
        .int()
        .positive()
        .optional()
        .describe("default the horizon: the end of the baseline"),
      token: z
        .string()
        .max(MAX_TOKEN_CHARACTERS)
        .regex(/^[!-~]+$/, "must be printable ASCII without spaces")
        .optional()
        .describe("the token of the enrollment; required unless one is stored for the project"),
      capabilities: z
        .union([z.array(z.string()).max(MAX_CAPABILITIES), z.string()])
        .optional()
        .describe("of the enrollment: a list, or a text with commas; default pull"),
      actor: Actor(),
      allow_insecure: z
        .boolean()
        .optional()
        .describe("send the token by plain HTTP to a host that is no private address"),
      push_enabled: z
        .boolean()
        .optional()
        .describe(
          "let the copy be written to, and send its changes to the hub; needs push in the capabilities. It stays on when a join is repeated without it",
        ),
      adopt_existing: z
        .boolean()
        .optional()
        .describe(
          "hand the project of this name over to the hub: its issues are sent as they are now, and its own history is deleted; needs an enrollment that permits it",
        ),
    }),
  ),
  response: component("CreateFederationReplicaResponse", () =>
    z.looseObject({
      project: Project(),
      binding: Binding(),
      adopted: z.literal(true).optional().describe("whether this request handed the project over"),
      adoption_snapshot_count: Count().optional().describe("how many issues the hub is sent"),
    }),
  ),
  errors: [
    "federation_capability_mismatch",
    "federation_project_not_found",
    "invalid_adoption_baseline",
    "federation_binding_conflict",
    "federation_credential_conflict",
    "federation_project_collision",
    "federation_rejoin_name_mismatch",
    "federation_rejoin_unsent",
    "federation_hub_refused",
    "federation_offline",
    "issue_sync_federation_conflict",
    "external_root_federation_conflict",
  ],
});

/**
 * Asks the hub of a copy for permission, then clears the copy and reads it again from the baseline on. If the copy was
 * disabled because a duplicate of its database had polled instead of it, this enables the copy again, and the duplicate
 * is disabled at its next poll. Refused while the copy has changes that the hub does not have.
 */
export const resyncFederationReplica = route({
  id: "resyncFederationReplica",
  lengthy: true,
  method: "POST",
  path: "/federation/replicas/{project_id}/actions/resync",
  access: "write",
  pages: "none",
  summary: "read a copy anew from its hub, and enable it if it was disabled",
  params: shape(() => z.object({ project_id: z.int().positive() })),
  response: component("ResyncFederationReplicaResponse", () =>
    z.looseObject({ project: Project(), binding: Binding() }),
  ),
  errors: [
    "project_not_found",
    "federation_not_found",
    "not_a_spoke",
    "federation_binding_conflict",
    "federation_reset_blocked",
    "federation_hub_refused",
    "federation_offline",
  ],
});

/**
 * Ends the binding of a copy; the project stays, as an ordinary one. `preflight` only checks whether that is possible.
 * `prepare` ends the reading, and says at which hub the enrollment must be revoked. Without either of them the copy
 * leaves. Each request may be repeated.
 */
export const leaveFederationReplica = route({
  id: "leaveFederationReplica",
  method: "POST",
  path: "/federation/replicas/{project_id}/actions/leave",
  access: "write",
  pages: "none",
  summary: "end the binding of a copy to its hub, and keep the project as an ordinary one",
  params: shape(() => z.object({ project_id: z.int().positive() })),
  body: component("LeaveFederationReplicaRequest", () =>
    z.strictObject({
      disposition: z
        .enum(["detach", "archive"])
        .optional()
        .describe("default detach; archive: the project is archived too"),
      force: z.boolean().optional().describe("archive the project even if it has open issues"),
      preflight: z.boolean().optional(),
      prepare: z.boolean().optional().describe("not together with preflight"),
      actor: Actor(),
    }),
  ),
  response: component("LeaveFederationReplicaResponse", () =>
    z.looseObject({
      project: Project(),
      detached: z.boolean().describe("whether this request ended a binding"),
      disposition: z.enum(["detach", "archive"]),
      archived: z.boolean().optional().describe("whether this request archived the project"),
      pending_enrollment: z
        .looseObject({
          hub_url: z.string(),
          hub_project_id: z.int(),
          hub_project_uid: z.string(),
          allow_insecure: z.boolean().optional(),
        })
        .optional()
        .describe("where the enrollment of this daemon is to be revoked"),
    }),
  ),
  errors: [
    "project_not_found",
    "not_a_spoke",
    "project_has_open_issues",
    "federation_credential_conflict",
    "federation_offline",
  ],
});

/**
 * Moves a copy to another address of its hub: the address of a `[[daemon]]` entry of the daemon's config.toml, which
 * must be an https URL. The hub is asked there with the token of the copy, never with the token of the entry. If a move
 * was interrupted, the same request finishes it.
 */
export const rebindFederationReplica = route({
  id: "rebindFederationReplica",
  lengthy: true,
  method: "POST",
  path: "/federation/replicas/{project_id}/actions/rebind",
  access: "write",
  pages: "none",
  summary: "move a copy to another address of its hub",
  params: shape(() => z.object({ project_id: z.int().positive() })),
  body: component("RebindFederationReplicaRequest", () =>
    z.strictObject({
      hub_catalog: z
        .string()
        .min(1)
        .max(MAX_CATALOG_NAME)
        .describe(
          "the name of a [[daemon]] entry of the daemon's config.toml, as it was at its start",
        ),
    }),
  ),
  response: component("RebindFederationReplicaResponse", () =>
    z.looseObject({
      project: z.looseObject({ id: z.int(), uid: z.string(), name: z.string() }),
      old_origin: z.string().describe("scheme, host and port, without a path"),
      new_origin: z.string(),
      state: z
        .enum(["rebound", "resumed", "unchanged"])
        .describe("resumed: an interrupted request had done a part of it"),
    }),
  ),
  errors: [
    "not_a_spoke",
    "federation_binding_conflict",
    "federation_credential_conflict",
    "federation_hub_unavailable",
    "federation_offline",
  ],
});
