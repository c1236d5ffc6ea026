import { z } from "zod";
import { FederationQuarantine } from "./federation-quarantine.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Instant } from "./values.ts";

const route = routesOf("federation");

const Status = component("FederationStatus", () =>
  z.looseObject({
    project_id: z.int(),
    project_uid: z.string(),
    project_name: z.string(),
    archived: z.boolean(),
    role: z.enum(["hub", "spoke"]),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .optional()
      .describe(
        "new_instance: the database was restored with an identity of its own; enable it again. adoption_unfinished: the project is being handed over, and the daemon goes on with that by itself. baseline_unfinished: the first baseline is being written, or that was cut off; enable it again. federation_replica_stale: another copy of this database has read in its place",
      ),
    push_enabled: z.boolean(),
    hub_url: z.string().optional().describe("of a copy, as the fields that follow"),
    hub_project_id: z.int().optional(),
    hub_project_uid: z.string().optional(),
    bound_actor: z.string().optional(),
    allow_insecure: z.boolean().optional(),
    capabilities: z
      .array(z.string())
      .optional()
      .describe("of the enrollment, if its token is here"),
    credential_status: z
      .enum(["present", "missing", "unreadable"])
      .optional()
      .describe("whether this daemon has the token for the hub"),
    leaving: z.boolean().optional().describe("true: it leaves the hub, and reads nothing more"),
    replay_horizon_event_id: Count(),
    pull_cursor_event_id: Count(),
    push_cursor_event_id: Count().describe(
      "the hub has every event of this daemon's log up to this id, as far as it is sent them",
    ),
    pending_push_count: Count().describe("events of a copy that its hub has yet to get"),
    pending_push_high_water_event_id: Count().describe(
      "the id of the last of them; 0 if there is none",
    ),
    reset_blocker: z
      .enum(["quarantine", "pending_push"])
      .optional()
      .describe(
        "why the copy cannot begin anew now: its hub refused changes of it, or has yet to get some",
      ),
    enrollment_count: Count().describe("active ones, those for all projects included"),
    live_claim_count: Count().describe("leases of the project's issues that are in force"),
    pending_claim_count: Count(),
    active_quarantine_count: Count(),
    active_quarantines: z
      .array(FederationQuarantine())
      .optional()
      .describe("of a copy: the batches that wait for a decision"),
    comparison: z
      .looseObject({
        state: z
          .enum(["equal", "different", "unknown"])
          .describe(
            "whether the copy had the events that its hub has; unknown: they were never compared, since the hub is older or the copy has not read to its end",
          ),
        compared_at: Instant().optional(),
        through_event_id: Count().optional().describe("the id of the hub up to which they were"),
        unequal_passes: Count()
          .optional()
          .describe("how many passes in a row found a difference; three are a fault"),
      })
      .optional()
      .describe("of a copy; svc federation verify names the first event that differs"),
    created_at: Instant(),
    updated_at: Instant(),
    last_sync_at: Instant().optional(),
    last_successful_sync_at: Instant()
      .optional()
      .describe("the latest of last_sync_at and the two times of success"),
    last_pull_started_at: Instant().optional(),
    last_pull_success_at: Instant().optional().describe("when all that the hub had was read"),
    last_push_started_at: Instant()
      .optional()
      .describe("when a pass last began to send events of this daemon"),
    last_push_success_at: Instant().optional().describe("when the hub last accepted some of them"),
    last_error_at: Instant().optional(),
    last_error: z
      .string()
      .optional()
      .describe(
        "why the last pass failed: an error code of the hub, also of its refusal of changes of the copy, or hub_unavailable, hub_authentication, hub_validation, hub_address and others; never a text of the hub",
      ),
    last_reset_at: Instant().optional().describe("when the copy last began anew"),
  }),
);

const Statuses = component("FederationStatusResponse", () =>
  z.looseObject({ statuses: z.array(Status()) }),
);

export const getFederationStatus = route({
  id: "getFederationStatus",
  method: "GET",
  path: "/federation/status",
  access: "read",
  pages: "none",
  summary: "show the federated projects of this daemon",
  query: shape(() =>
    z.object({
      include: z
        .string()
        .optional()
        .describe("a list with commas; archived: archived projects too"),
    }),
  ),
  response: Statuses,
});

export const getProjectFederationStatus = route({
  id: "getProjectFederationStatus",
  method: "GET",
  path: "/projects/{project_id}/federation/status",
  access: "read",
  pages: "none",
  summary: "show one project as the list does; an empty list if it is not federated",
  response: Statuses,
});
