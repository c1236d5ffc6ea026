import { z } from "zod";
import { MAX_FILTER_VALUES } from "./limits.ts";
import { Event, IssueOut, warnings } from "./objects.ts";
import { FENCE_HEADER, routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import {
  Actor,
  ActorName,
  Fence,
  familyFilters,
  IdempotencyKey,
  Instant,
  Label,
  LeaseKind,
  LeaseSeconds,
} from "./values.ts";

const route = routesOf("leases");

/**
 * The holder of a lease. The daemon fills in `holder_instance_uid` itself (docs/contract/cron-and-inbox.md#13-leases).
 */
const ClaimPrincipal = component("ClaimPrincipal", () =>
  z.looseObject({
    holder: z.string(),
    holder_instance_uid: z.string(),
    client_kind: z.string(),
  }),
);

export const Lease = component("Lease", () =>
  z.looseObject({
    claim_uid: z.string(),
    project_id: z.int(),
    issue_uid: z.string(),
    holder: z.string(),
    holder_instance_uid: z.string(),
    client_kind: z.string(),
    purpose: z.string(),
    claim_kind: LeaseKind(),
    fence: Fence(),
    acquired_at: Instant(),
    expires_at: Instant().optional().describe("only for a timed lease"),
    released_at: Instant().optional(),
    release_reason: z.string().optional(),
    revision: z.int(),
    updated_at: Instant(),
  }),
);

/** What a hub says to a spoke about the issue, since the copy of the spoke may be behind. */
const LeasedIssue = component("LeasedIssue", () =>
  z
    .looseObject({
      uid: z.string(),
      owner: z.string().optional(),
      status: z.string(),
      revision: z.int(),
    })
    .describe("only for a spoke: the issue as the hub has it"),
);

const LeaseStatus = component("LeaseStatus", () =>
  z.looseObject({
    held: z.boolean(),
    holder: ClaimPrincipal().optional(),
    lease: Lease().optional(),
    hub_now: Instant().describe("the clock that decides when leases expire"),
    hub_asked: z
      .literal(false)
      .optional()
      .describe(
        "set for a copy that may not ask its hub: then held says only whether somebody here has the lease",
      ),
    issue: LeasedIssue().optional(),
  }),
);

const LeaseActionResponse = component("LeaseActionResponse", () =>
  z.looseObject({
    granted: z
      .boolean()
      .describe("false if somebody else, named in holder, has the lease, or if it is pending"),
    holder: ClaimPrincipal().optional(),
    lease: Lease().optional(),
    event: Event().optional(),
    pending: z
      .boolean()
      .optional()
      .describe("true if the hub of a copy gave no answer; it is asked again"),
    request_uid: z.string().optional().describe("with pending: claim_uid of the lease to come"),
    hub_now: Instant().optional().describe("only for a spoke: the clock of expires_at"),
    issue: LeasedIssue().optional(),
  }),
);

const Note = () => z.string().max(1024).optional();

/**
 * The body of the routes that act on a lease. It is the only body that may have unknown fields, because the daemons of
 * a federation (a hub and its spokes) share these routes and may have different releases.
 */
const ClaimActionBody = component("ClaimActionBody", () =>
  z.looseObject({
    holder: ActorName()
      .optional()
      .describe("default the actor; ignored where the credential names the actor"),
    client_kind: z.string().max(64).optional().describe("kind of program that holds the lease"),
    claim_kind: LeaseKind().optional().describe("default hard"),
    ttl_seconds: LeaseSeconds().optional().describe("for a timed lease: its duration"),
    purpose: Note(),
    reason: Note(),
    actor: Actor(),
    claim_uid: z
      .string()
      .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      .optional()
      .describe("from a spoke, required: the uid of the lease, which it chooses itself"),
    fence: Fence().optional().describe("from a spoke that acquires: the least fence"),
  }),
);

/** Errors of a request about a lease of a copy, which its hub has to answer. */
const HUB_ERRORS = ["federation_offline", "hub_claim_failed"] as const;

const SpokeHeaders = shape(() =>
  z.object({
    "x-svc-instance": z
      .string()
      .optional()
      .describe(
        "from a spoke: its instance uid; the request then needs the token of an enrollment for leases",
      ),
  }),
);

export const getIssueLeaseStatus = route({
  id: "getIssueLeaseStatus",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/lease",
  access: "read",
  local: true,
  spokes: "claim",
  summary: "show who holds the lease of an issue",
  headers: SpokeHeaders,
  response: LeaseStatus,
  errors: HUB_ERRORS,
});

const action = {
  method: "POST",
  access: "write",
  local: true,
  spokes: "claim",
  fenced: "action",
  headers: SpokeHeaders,
  body: ClaimActionBody,
  response: LeaseActionResponse,
} as const;

export const acquireIssueLease = route({
  ...action,
  id: "acquireIssueLease",
  path: "/projects/{project_id}/issues/{ref}/lease/actions/acquire",
  summary: "acquire the lease of an issue, unless somebody else holds it",
  errors: ["hub_claim_failed"],
});

export const renewIssueLease = route({
  ...action,
  id: "renewIssueLease",
  path: "/projects/{project_id}/issues/{ref}/lease/actions/renew",
  summary: "renew a timed lease from now",
  errors: ["claim_not_held", "claim_expired", ...HUB_ERRORS],
});

export const releaseIssueLease = route({
  ...action,
  id: "releaseIssueLease",
  path: "/projects/{project_id}/issues/{ref}/lease/actions/release",
  summary: "release a lease",
  errors: ["claim_not_held", ...HUB_ERRORS],
});

export const forceReleaseIssueLease = route({
  ...action,
  id: "forceReleaseIssueLease",
  path: "/projects/{project_id}/issues/{ref}/lease/actions/force_release",
  summary: "end a lease that somebody else holds",
  errors: ["claim_not_held"],
});

const TakeRequest = component("TakeReadyIssueRequest", () =>
  z.strictObject({
    labels: z
      .array(Label())
      .max(MAX_FILTER_VALUES)
      .optional()
      .describe("only issues that have all of these labels"),
    exclude_labels: z
      .array(Label())
      .max(MAX_FILTER_VALUES)
      .optional()
      .describe("only issues that have none of these labels"),
    ...familyFilters(),
    containers: z
      .boolean()
      .optional()
      .describe("include issues that are held back only by their own open children"),
    lease: z
      .strictObject({
        ttl_seconds: LeaseSeconds(),
        client_kind: z.string().max(64).optional(),
        purpose: Note(),
      })
      .optional()
      .describe("lease the issue for this long instead of becoming its owner"),
    actor: Actor(),
  }),
);

const TakeResponse = component("TakeReadyIssueResponse", () =>
  z.looseObject({
    issue: IssueOut().nullable().describe("null if there is nothing to take"),
    event: Event().nullable(),
    events: z.array(Event()),
    changed: z.boolean(),
    lease: Lease().optional(),
    original_event: Event()
      .optional()
      .describe("present with reused: the event that took the issue"),
    reused: z
      .boolean()
      .optional()
      .describe("true if this idempotency key took the issue before and it is still held"),
    ...warnings(),
  }),
);

const TakeHeaders = shape(() => z.object({ "idempotency-key": IdempotencyKey() }));

export const takeReadyIssue = route({
  id: "takeReadyIssue",
  method: "POST",
  path: "/projects/{project_id}/ready/actions/take",
  access: "write",
  local: true,
  summary: "claim or lease the best ready issue of a project in one step",
  headers: TakeHeaders,
  body: TakeRequest,
  response: TakeResponse,
  errors: ["idempotency_mismatch", "claim_expired", "claim_denied", ...HUB_ERRORS],
});

export const takeReadyIssueGlobal = route({
  id: "takeReadyIssueGlobal",
  method: "POST",
  path: "/ready/actions/take",
  access: "write",
  local: true,
  summary: "claim or lease the best ready issue of all projects in one step",
  headers: TakeHeaders,
  body: TakeRequest,
  response: TakeResponse,
  errors: ["idempotency_mismatch", "claim_expired", "claim_denied", ...HUB_ERRORS],
});

export const FenceHeaders = shape(() =>
  z.object({
    [FENCE_HEADER]: z
      .string()
      .optional()
      .describe(
        "fence of the lease under which this is written; the request is refused after that lease has ended",
      ),
  }),
);
