import { z } from "zod";
import { FEATURES_HEADER } from "./capabilities.ts";
import { FederationDigest } from "./federation-digest.ts";
import { INGEST_BODY_BYTES } from "./limits.ts";
import { LOG_HEADER } from "./log-mark.ts";
import { EventEnvelope } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Metadata } from "./values.ts";

const route = routesOf("federation");

/** The header with the features that a reader must support to get the events of a project. */
export const REQUIRED_FEATURES_HEADER = "X-Svc-Required-Event-Features";

/**
 * The header with the stamp of the hub's last answer to this replica. Each answer has a new stamp, so the hub notices
 * if two duplicates of one database poll.
 */
export const REPLICA_STAMP_HEADER = "X-Svc-Replica-Stamp";

/**
 * The header in which a reader says which database it is. The hub compares it with the enrollment, so a token that was
 * carried to another daemon is refused. A request without this header is refused too, since it could come from any
 * daemon. The header does not stop a program that lies about its database; only the secret token does.
 */
export const INSTANCE_HEADER = "X-Svc-Instance";

/** The maximum number of events in the answer to a poll. */
export const FEDERATION_POLL_LIMIT = 1000; // docs/contract/federation.md#12-limits

/** The maximum number of events in one ingest. */
export const FEDERATION_INGEST_LIMIT = 1000; // docs/contract/federation.md#12-limits

const OWN_FEATURES_HEADER = {
  [FEATURES_HEADER]: "the event features that this daemon supports, with commas between them",
};

/** The headers of an answer that depends on the features of the reader. */
export const EVENT_FEATURE_HEADERS = {
  ...OWN_FEATURES_HEADER,
  [REQUIRED_FEATURES_HEADER]: "the features that a reader of this project must support",
};

/** What a reader says of itself: which daemon it is, and the features that it supports. */
export const ReaderHeaders = shape(() =>
  z.object({
    // Optional in the schema, so that the token is checked first. After that, a request without this header is refused
    // like a request with a wrong token.
    "x-svc-instance": z
      .string()
      .optional()
      .describe(
        "the instance uid of the reader, which svc federation identity prints there; the enrollment has to be for it",
      ),
    "x-svc-event-features": z
      .string()
      .optional()
      .describe("the event features that the reader supports, with commas between them"),
  }),
);

/** The event from which a hub begins to send the events of a project. */
export const FederationMetadata = component("FederationMetadata", () =>
  z.looseObject({
    project_id: z.int(),
    project_uid: z.string(),
    project_name: z.string(),
    replay_horizon_event_id: Count().describe(
      "the event with which the baseline begins; no event before it is sent",
    ),
    baseline_through_event_id: Count().describe("the last event of the baseline"),
    required_event_features: z
      .array(z.string())
      .describe(`the features of ${REQUIRED_FEATURES_HEADER}`),
    epoch: z.string().describe(`the epoch of the hub's log, as in ${LOG_HEADER}`),
    chain: z
      .string()
      .optional()
      .describe("the chain of the last event of the log; absent if a purge followed it"),
    last_event_id: Count().describe("the end of the hub's log"),
  }),
);

/** The metadata of a project, with what the enrollment of the asking reader permits. */
const ReaderMetadata = component("FederationReaderMetadata", () =>
  FederationMetadata().extend({
    enrollment: z
      .looseObject({
        actor: z.string().describe("to whom the changes of the reader are attributed"),
        capabilities: z.array(z.string()).describe("sorted; claim is for leases"),
        allow_adoption_snapshot_authors: z
          .boolean()
          .optional()
          .describe("whether the reader may still hand a project over"),
      })
      .describe("what the token of the request permits"),
  }),
);

/** For other daemons. If issues were purged since the last baseline, writes a new baseline first. */
export const getFederationProjectMetadata = route({
  id: "getFederationProjectMetadata",
  lengthy: true,
  method: "GET",
  path: "/projects/{project_id}/federation/metadata",
  access: "enrollment",
  summary: "tell another daemon the event from which it reads those of the project",
  headers: ReaderHeaders,
  response: ReaderMetadata,
  responseHeaders: EVENT_FEATURE_HEADERS,
  errors: ["unsupported_event_features"],
});

const Poll = component("FederationPollResponse", () =>
  z.looseObject({
    reset_required: z
      .boolean()
      .describe("the reader must clear its copy and begin at the horizon of the metadata"),
    reset_after_id: Count().optional(),
    events: z.array(EventEnvelope()),
    next_after_id: Count().describe(
      "the cursor of the next poll; the end of the log if all is read",
    ),
    more: z.boolean().optional().describe("whether the log had further events of the project"),
    required_event_features: z
      .array(z.string())
      .describe(`the features of ${REQUIRED_FEATURES_HEADER}`),
    epoch: z.string().describe(`the epoch of the hub's log, as in ${LOG_HEADER}`),
    chain: z
      .string()
      .optional()
      .describe("the chain of the event at next_after_id, for the next poll"),
    replica_stamp: z.string().describe(`the stamp of ${REPLICA_STAMP_HEADER}, for the next poll`),
    digest: FederationDigest()
      .optional()
      .describe("at the end of the log, once the hub has counted its events"),
  }),
);

/** For other daemons. Leaves out the kinds of events that are never sent. */
export const pollFederationProjectEvents = route({
  id: "pollFederationProjectEvents",
  method: "GET",
  path: "/projects/{project_id}/federation/events",
  access: "enrollment",
  summary: "send another daemon the next events of the project",
  query: shape(() =>
    z.object({
      after_id: z.int().min(0).optional().describe("cursor: only events after this one"),
      limit: z
        .int()
        .positive()
        .optional()
        .describe(`default and at most ${FEDERATION_POLL_LIMIT}; a page of large events has fewer`),
    }),
  ),
  headers: shape(() =>
    ReaderHeaders().extend({
      "x-svc-log": z
        .string()
        .optional()
        .describe(
          "the epoch of the log that the cursor belongs to, and the chain: <epoch>/<chain>",
        ),
      "x-svc-replica-stamp": z
        .string()
        .optional()
        .describe("the stamp of the last answer, or of the one before; absent: a copy begins"),
    }),
  ),
  response: Poll,
  responseHeaders: {
    ...EVENT_FEATURE_HEADERS,
    [REPLICA_STAMP_HEADER]: "what the next poll sends; tells a replica from a copy of it",
  },
  errors: ["unsupported_event_features", "federation_replica_stale"],
});

/**
 * An event as a spoke sends it; `event_id` is its id in the log of the spoke
 * (docs/contract/federation.md#72-the-batch).
 */
export const PushedEvent = shape(() =>
  z.looseObject({
    event_id: z.int().positive(),
    event_uid: z.string(),
    origin_instance_uid: z.string(),
    project_uid: z.string(),
    project_name: z.string().optional(),
    issue_uid: z.string().optional(),
    related_issue_uid: z.string().optional(),
    type: z.string(),
    actor: z.string(),
    payload: Metadata().optional(),
    hlc_physical_ms: z.number(),
    hlc_counter: z.number(),
    content_hash: z.string(),
    created_at: z.string(),
  }),
);

/**
 * For other daemons: adds the events of a spoke to the log, all or none. The version is checked first, because a newer
 * version may have changed the form of the events.
 */
export const ingestFederationProjectEvents = route({
  id: "ingestFederationProjectEvents",
  lengthy: true,
  method: "POST",
  path: "/projects/{project_id}/federation/events:ingest",
  access: "enrollment",
  summary: "accept the events that a spoke made, all or none",
  headers: shape(() =>
    ReaderHeaders().extend({
      "x-svc-replica-stamp": z
        .string()
        .optional()
        .describe("the stamp of the last poll, or of the one before; absent: nothing was read yet"),
    }),
  ),
  maxBodyBytes: INGEST_BODY_BYTES,
  body: component("FederationIngestRequest", () =>
    z.looseObject({
      schema_version: z
        .int()
        .optional()
        .describe(
          "required: the lowest version of the wire format that has these kinds of events, 30 or 31",
        ),
      events: z
        .array(Metadata())
        .max(FEDERATION_INGEST_LIMIT)
        .describe(
          `at most ${FEDERATION_INGEST_LIMIT}; each has the fields of an event in the answer to a poll, and event_id is its id in the log of the spoke`,
        ),
      adoption_baseline: z
        .enum(["open", "complete"])
        .optional()
        .describe(
          "a part of the issues of a project that the spoke hands over, and whether it is the last one; the enrollment must permit it",
        ),
      adoption_baseline_end_event_id: z
        .int()
        .positive()
        .optional()
        .describe(
          "required with adoption_baseline: the event_id of the last event of the last part",
        ),
    }),
  ),
  response: component("FederationIngestResponse", () =>
    z.looseObject({
      accepted: Count().describe("those that were added, or dropped because their issue is purged"),
      duplicates: Count().describe("those that the hub had"),
      push_cursor_event_id: Count().describe(
        "the highest event_id of the request; 0 without events",
      ),
    }),
  ),
  responseHeaders: OWN_FEATURES_HEADER,
  errors: [
    "unsupported_event_features",
    "invalid_federation_schema",
    "unsupported_federation_schema",
    "invalid_adoption_baseline",
    "remote_event_conflict",
    "clock_ahead",
    "federation_replica_stale",
  ],
});
