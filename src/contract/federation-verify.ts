import { z } from "zod";
import { Hash } from "./federation-digest.ts";
import { EVENT_FEATURE_HEADERS, ReaderHeaders } from "./federation-transport.ts";
import { Project } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, Instant } from "./values.ts";

const route = routesOf("federation");

/** In how many parts a hub divides a range of its events. */
export const DIGEST_PARTS = 16;
/** A range of at most this many events is listed instead of divided. */
export const DIGEST_EVENTS = 256;
/** The maximum number of issues, or of other rows, in an answer with hashes of rows. */
export const HASHED_ROWS = 1000;
/** The maximum number of issues, and of other rows, that the answer to a verify names. */
export const MAX_DIFFERENT_ROWS = 100;
/** The rows besides issues that hub and copy compare, in the order of the comparison. */
export const OTHER_ROWS = ["project", "workflow", "job", "run"] as const;

/** The fields of each answer about the state of the hub's log and the version of its rules. */
const HubState = () => ({
  epoch: z.string().describe("the epoch of the hub's log"),
  from: Count().describe("the horizon of the project: the first event that is counted"),
  reset_required: z
    .boolean()
    .describe("true: something was purged after the range was read, so the copy must begin anew"),
  fold_version: Count().describe("the version of the rules by which the hub makes rows of events"),
});

const Part = shape(() =>
  z.looseObject({
    through_id: Count().describe("the part ends with this id"),
    count: Count().describe("how many events the part has"),
    sum: Hash().describe("the sum of their content hashes modulo 2^256"),
  }),
);

/**
 * For other daemons: lets a copy find the first event in which it differs from the hub. Reads all events of the range.
 */
export const sumFederationProjectEvents = route({
  id: "sumFederationProjectEvents",
  lengthy: true,
  method: "GET",
  path: "/projects/{project_id}/federation/sums",
  access: "enrollment",
  summary: "add up the content hashes of a range of the project's events, in parts",
  query: shape(() =>
    z.object({
      after_id: z
        .int()
        .min(0)
        .optional()
        .describe("only events after this one; default: from the horizon on"),
      through_id: z.int().min(0).describe("only events up to this one"),
    }),
  ),
  headers: ReaderHeaders,
  response: component("FederationSumsResponse", () =>
    z.looseObject({
      ...HubState(),
      parts: z
        .array(Part())
        .max(DIGEST_PARTS)
        .describe(
          "the range in parts with about as many events each, without gaps; empty if the events are listed",
        ),
      events: z
        .array(
          z.looseObject({
            event_id: Count(),
            event_uid: z.string(),
            content_hash: Hash(),
            type: z.string(),
            issue_uid: z.string().optional(),
            created_at: Instant(),
          }),
        )
        .max(DIGEST_EVENTS)
        .optional()
        .describe(`the events themselves, if there are at most ${DIGEST_EVENTS}`),
    }),
  ),
  responseHeaders: EVENT_FEATURE_HEADERS,
  errors: ["unsupported_event_features"],
});

/**
 * For other daemons: lets a copy compare its rows with those of the hub. An older hub ignores `row` and answers about
 * issues. So only an answer with `rows` shows that the hub supports `row`.
 */
export const hashFederationProjectIssues = route({
  id: "hashFederationProjectIssues",
  lengthy: true,
  method: "GET",
  path: "/projects/{project_id}/federation/issue-hashes",
  access: "enrollment",
  summary: "compute a hash of the rows of each issue of the project, or of its other rows",
  query: shape(() =>
    z.object({
      row: z
        .enum(OTHER_ROWS)
        .optional()
        .describe("the project itself, or its workflows, jobs or runs, instead of its issues"),
      after_uid: z.string().max(26).optional().describe("only those after this uid"),
      through_uid: z.string().max(26).optional().describe("only those up to this uid"),
      through_id: z
        .int()
        .min(0)
        .describe("the cursor of the copy: what later events name is left out"),
    }),
  ),
  headers: ReaderHeaders,
  response: component("FederationIssueHashesResponse", () =>
    z.looseObject({
      ...HubState(),
      issues: z
        .array(
          z.looseObject({
            issue_uid: z.string(),
            hash: Hash().optional().describe("absent if a later event names the issue"),
          }),
        )
        .max(HASHED_ROWS)
        .describe("sorted by uid; empty if other rows are asked for"),
      rows: z
        .array(
          z.looseObject({
            uid: z.string(),
            hash: Hash().optional().describe("absent if a later event changes the row"),
          }),
        )
        .max(HASHED_ROWS)
        .optional()
        .describe("the rows that are asked for, sorted by uid; an older hub does not know them"),
      more: z.boolean().describe("whether there are further ones up to through_uid"),
      behind: z
        .boolean()
        .describe("true: the copy has too much to read before rows can be compared"),
    }),
  ),
  responseHeaders: EVENT_FEATURE_HEADERS,
  errors: ["unsupported_event_features"],
});

const Difference = shape(() =>
  z.looseObject({
    kind: z
      .enum(["missing_here", "missing_there", "other_content"])
      .describe("the event is on the hub alone, here alone, or another one here"),
    event_id: Count().describe("its id on the hub"),
    event_uid: z.string(),
    type: z.string().optional(),
    issue_uid: z.string().optional(),
    created_at: Instant().optional(),
  }),
);

const RowDifference = () => z.enum(["missing_here", "missing_there", "other_rows"]);

const Rows = shape(() =>
  z.looseObject({
    state: z
      .enum(["equal", "different", "partial", "unknown"])
      .describe("partial: the issues are equal, and the hub is older and hashes nothing else"),
    compared: Count().describe("how many issues were compared"),
    left_out: Count().describe("how many were not: events about them have yet to be sent or read"),
    different: Count().describe("how many differ"),
    issues: z
      .array(
        z.looseObject({
          issue_uid: z.string(),
          kind: RowDifference(),
        }),
      )
      .max(MAX_DIFFERENT_ROWS)
      .describe(`the first ${MAX_DIFFERENT_ROWS} of them`),
    others: z
      .looseObject({
        compared: Count(),
        left_out: Count(),
        different: Count(),
        rows: z
          .array(z.looseObject({ row: z.enum(OTHER_ROWS), uid: z.string(), kind: RowDifference() }))
          .max(MAX_DIFFERENT_ROWS)
          .describe(`the first ${MAX_DIFFERENT_ROWS} that differ`),
      })
      .optional()
      .describe(
        "the same of the project itself, its workflows, jobs and runs; absent if the hub is older and hashes issues alone",
      ),
    cause: z
      .enum(["events_differ", "older_fold_here", "older_fold_there", "faulty_fold"])
      .optional()
      .describe(
        "if rows differ: the events do; one daemon makes rows by older rules; or the rules are the same, and one daemon has not followed them",
      ),
  }),
);

/**
 * Compares a copy with its hub, and names the first event that differs. Changes nothing. The hub sums up 16 parts of a
 * range of events; the first part that differs is the next range.
 */
export const verifyFederationReplica = route({
  id: "verifyFederationReplica",
  lengthy: true,
  method: "POST",
  path: "/federation/replicas/{project_id}/actions/verify",
  access: "write",
  pages: "none",
  summary: "compare a copy with its hub, and name the first event that differs",
  params: shape(() => z.object({ project_id: z.int().positive() })),
  body: component("VerifyFederationReplicaRequest", () =>
    z.strictObject({
      rows: z
        .boolean()
        .optional()
        .describe(
          "compare the rows of each issue too, and those of the project, its workflows, jobs and runs",
        ),
    }),
  ),
  response: component("VerifyFederationReplicaResponse", () =>
    z.looseObject({
      project: Project(),
      state: z
        .enum(["equal", "different", "unknown"])
        .describe("whether the copy has the events that the hub has up to through"),
      reason: z
        .enum(["hub_too_old", "hub_log_changed", "reset_required", "horizon_moved", "not_read_yet"])
        .optional()
        .describe("why that is unknown"),
      through: Count().describe("the cursor of the copy: events of the hub up to it are compared"),
      event_count: Count().describe("how many of them the copy has"),
      hub_event_count: Count().optional(),
      round_trips: Count().describe("how often the hub was asked for sums"),
      first_difference: Difference().optional(),
      fold_version: Count(),
      hub_fold_version: Count().optional(),
      rows: Rows().optional(),
    }),
  ),
  errors: [
    "project_not_found",
    "federation_not_found",
    "not_a_spoke",
    "federation_hub_refused",
    "federation_offline",
  ],
});
