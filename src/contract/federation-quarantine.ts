import { z } from "zod";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, Confirm, Count, Instant, ProjectId, Reason } from "./values.ts";

const route = routesOf("federation");

/** The greatest `limit` of a list of batches, which is also its default. */
const MAX_BATCHES = 100;
export const DEFAULT_BATCHES = 20;

/**
 * A batch of events that the hub refused for good (docs/contract/federation.md#87-quarantine). Only `WithDetail` has a
 * text of the hub.
 */
export const FederationQuarantine = component("FederationQuarantine", () =>
  z.looseObject({
    id: z.int().describe("unique in the project"),
    direction: z.enum(["push", "pull"]),
    first_event_id: z.int(),
    last_event_id: z.int(),
    event_uids: z.array(z.string()),
    error: z.string().describe("the code of the refusal"),
    created_at: Instant(),
    resolution: z
      .enum(["retry", "skip"])
      .optional()
      .describe(
        "what somebody decided; absent while the batch keeps the copy from sending and reading",
      ),
    resolved_at: Instant().optional(),
    resolved_by: z.string().optional(),
    reason: z.string().optional().describe("why it was decided so"),
  }),
);

const WithDetail = component("FederationQuarantineWithDetail", () =>
  FederationQuarantine().extend({
    detail: z.string().optional().describe("what the hub said, in its own words"),
    hands_over: z
      .literal(true)
      .optional()
      .describe("set if the batch hands the project over to its hub; it cannot be skipped then"),
  }),
);

const Event = component("FederationQuarantineEvent", () =>
  z.looseObject({
    event_id: z.int(),
    event_uid: z.string(),
    type: z.string(),
    created_at: Instant(),
    issue_uid: z.string().optional(),
    issue_short_id: z.string().optional().describe("absent if the issue is not here"),
    skipped_at: Instant().optional(),
  }),
);

const params = shape(() =>
  z.object({
    project_id: ProjectId(),
    quarantine_id: z.int().positive().describe("the id in the list of the project"),
  }),
);

const headers = shape(() => z.object({ "x-svc-confirm": Confirm() }));

const DecideRequest = component("DecideFederationQuarantineRequest", () =>
  z.strictObject({ actor: Actor(), reason: Reason() }),
);

const CONFIRM_ERRORS = [
  "federation_quarantine_not_found",
  "confirm_required",
  "confirm_mismatch",
] as const;

export const listFederationQuarantine = route({
  id: "listFederationQuarantine",
  method: "GET",
  path: "/projects/{project_id}/federation/quarantine",
  access: "read",
  pages: "none",
  summary: "list the batches that the hub refused, newest first",
  query: shape(() =>
    z.object({
      include: z
        .string()
        .optional()
        .describe("a list with commas; resolved: those too about which somebody has decided"),
      limit: z
        .int()
        .min(1)
        .max(MAX_BATCHES)
        .optional()
        .describe(`default ${DEFAULT_BATCHES}, at most ${MAX_BATCHES}`),
    }),
  ),
  response: component("ListFederationQuarantineResponse", () =>
    z.looseObject({
      quarantines: z.array(WithDetail()),
      truncated: z.boolean().optional().describe("true: there are older ones"),
    }),
  ),
});

export const showFederationQuarantine = route({
  id: "showFederationQuarantine",
  method: "GET",
  path: "/projects/{project_id}/federation/quarantine/{quarantine_id}",
  access: "read",
  pages: "none",
  summary: "show a batch that the hub refused, with its events",
  params,
  response: component("ShowFederationQuarantineResponse", () =>
    z.looseObject({
      quarantine: WithDetail(),
      events: z.array(Event()).describe("those that are in the log, by id"),
    }),
  ),
  errors: ["federation_quarantine_not_found"],
});

/** Sends the same events again. This helps only if something has changed on the hub. */
export const retryFederationQuarantine = route({
  id: "retryFederationQuarantine",
  method: "POST",
  path: "/projects/{project_id}/federation/quarantine/{quarantine_id}/retry",
  access: "write",
  pages: "none",
  summary: "send a refused batch again; X-Svc-Confirm: RETRY FEDERATION BATCH <id>",
  params,
  headers,
  body: DecideRequest,
  response: FederationQuarantine,
  errors: [...CONFIRM_ERRORS, "federation_quarantine_retry_unsupported"],
});

/** The events stay in the log with a mark, and change nothing any more. Readers of events must start again. */
export const skipFederationQuarantine = route({
  id: "skipFederationQuarantine",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/federation/quarantine/{quarantine_id}/skip",
  access: "write",
  pages: "none",
  summary: "take back the changes of a refused batch; X-Svc-Confirm: SKIP FEDERATION BATCH <id>",
  params,
  headers,
  body: DecideRequest,
  response: component("SkipFederationQuarantineResponse", () =>
    FederationQuarantine().extend({
      skipped_event_count: Count().describe(
        "how many events count no more: those of the batch that the hub is not known to have, and later ones about issues that the batch created",
      ),
    }),
  ),
  errors: [...CONFIRM_ERRORS, "invalid_adoption_baseline"],
});
