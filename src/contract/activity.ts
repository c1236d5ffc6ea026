import { z } from "zod";
import { cut, maxBytes } from "./budget.ts";
import { FEATURES_HEADER } from "./capabilities.ts";
import {
  EVENTS_DEFAULT_LIMIT,
  EVENTS_MAX_LIMIT,
  MAX_EVENT_FILTER_VALUES,
  MAX_FILTER_VALUES,
} from "./limits.ts";
import { LOG_HEADER, logHeader } from "./log-mark.ts";
import { EventEnvelope } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { CloseReason, Count, Instant, IssueRef, Limit, ProjectId } from "./values.ts";

const route = routesOf("events");

/**
 * The actions that a digest counts, in the order of its output (docs/contract/http-api.md#37-events-digest-audit-undo).
 */
export const DIGEST_ACTIONS = [
  "created",
  "closed",
  "reopened",
  "commented",
  "edited",
  "assigned",
  "unassigned",
  "priority_set",
  "priority_cleared",
  "labeled",
  "unlabeled",
  "linked",
  "unlinked",
  "unblocked",
  "deleted",
  "restored",
  "other",
] as const;

const LogQuery = shape(() =>
  z.object({
    after_id: z.int().min(0).optional().describe("cursor: only events after this one"),
    limit: z
      .int()
      .positive()
      .optional()
      .describe(`default ${EVENTS_DEFAULT_LIMIT}, at most ${EVENTS_MAX_LIMIT}`),
    max_bytes: maxBytes(),
  }),
);

const anyOf = <T extends z.ZodType>(item: T, says: string) =>
  z.array(item).max(MAX_EVENT_FILTER_VALUES).optional().describe(says);

/** An event must match at least one value of every filter that is given. */
const EventFilters = shape(() =>
  z.object({
    issue: anyOf(
      IssueRef(),
      "only events that are about these issues, that name one, or that are about its whole project; a uid, project#short_id (the # as %23) or, with one project, a short id",
    ),
    type: anyOf(z.string(), "only events of these kinds, such as issue.closed or issue.*"),
    actor: anyOf(z.string(), "only events of these actors"),
  }),
);

const PollQuery = shape(() => LogQuery().extend(EventFilters().shape));

const ProjectIds = () => anyOf(ProjectId(), "only events of these projects");

const PollEvents = component("PollEventsResponse", () =>
  z.looseObject({
    reset_required: z.boolean().describe("the cursor is no longer valid: read everything again"),
    reset_after_id: Count().optional(),
    events: z.array(EventEnvelope()),
    next_after_id: Count(),
    epoch: z.string().optional().describe(`the log's epoch, as in ${LOG_HEADER}`),
    ...cut(),
  }),
);

const LogHeaders = shape(() =>
  z.object({
    "x-svc-log": z
      .string()
      .optional()
      .describe(
        "the log that the cursor belongs to: <epoch>/<chain of the event at the cursor>, or <epoch> where there is no event at the cursor; another log is answered with a reset",
      ),
  }),
);

const featureHeader = {
  [FEATURES_HEADER]: "the features of this daemon, with commas between them",
};

export const pollEvents = route({
  id: "pollEvents",
  method: "GET",
  path: "/events",
  access: "read",
  local: true,
  summary: "read the events of every project after a cursor",
  query: shape(() => PollQuery().extend({ project_id: ProjectIds() })),
  response: PollEvents,
  headers: LogHeaders,
  responseHeaders: { ...featureHeader, ...logHeader },
  errors: ["project_not_found", "issue_not_found"],
});

export const pollProjectEvents = route({
  id: "pollProjectEvents",
  method: "GET",
  path: "/projects/{project_id}/events",
  access: "read",
  local: true,
  summary: "read a project's events after a cursor",
  query: PollQuery,
  response: PollEvents,
  headers: LogHeaders,
  responseHeaders: { ...featureHeader, ...logHeader },
  errors: ["issue_not_found"],
});

/**
 * Answers with `text/event-stream` (docs/contract/http-api.md#54-the-stream). The daemon handles this route in separate
 * code (`daemon/routes/stream.ts`).
 */
export const streamEvents = route({
  id: "streamEvents",
  method: "GET",
  path: "/events/stream",
  access: "stream",
  local: true,
  summary: "follow events as they happen (server-sent events)",
  query: shape(() =>
    EventFilters().extend({
      after_id: z
        .int()
        .min(0)
        .optional()
        .describe("cursor: only events after this one; cannot be combined with Last-Event-ID"),
      project_id: ProjectIds(),
    }),
  ),
  headers: shape(() => LogHeaders().extend({ "last-event-id": z.string().optional() })),
  response: shape(() =>
    z
      .string()
      .describe(
        "frames of `id`, `event` and `data` (an EventEnvelope); a frame with `id` alone moves the cursor past events that the filter left out",
      ),
  ),
  responseType: "text/event-stream",
  responseHeaders: logHeader,
  errors: ["cursor_conflict", "not_acceptable", "project_not_found", "issue_not_found"],
});

export const listIssueEvents = route({
  id: "listIssueEvents",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/events",
  access: "read",
  local: true,
  summary: "read what happened to an issue, and to others that name it",
  query: shape(() => LogQuery().extend({ include_deleted: z.boolean().optional() })),
  response: component("IssueEventsResponse", () =>
    z.looseObject({ events: z.array(EventEnvelope()), next_after_id: Count(), ...cut() }),
  ),
  responseHeaders: logHeader,
});

const DigestQuery = shape(() =>
  z.object({
    since: z.string().describe("RFC 3339, inclusive"),
    until: z.string().optional().describe("RFC 3339, default now"),
    actor: z
      .array(z.string())
      .max(MAX_FILTER_VALUES)
      .optional()
      .describe("only events of these actors"),
    max_bytes: maxBytes(),
  }),
);

const Totals = component("DigestTotals", () =>
  z.looseObject(Object.fromEntries(DIGEST_ACTIONS.map((action) => [action, Count()]))),
);

const Digest = component("Digest", () =>
  z.looseObject({
    since: Instant(),
    until: Instant(),
    project_id: Count().describe("0 means all projects"),
    event_count: Count(),
    totals: Totals(),
    counted_until: Instant()
      .optional()
      .describe(
        "present if the span has more events than can be counted in time: those after this instant are left out of all counts; ask again with a `since` behind it",
      ),
    ...cut(),
    actors: z.array(
      z.looseObject({
        actor: z.string(),
        totals: Totals(),
        issue_count: Count()
          .optional()
          .describe("present if max_bytes left issues of this actor out: how many there are"),
        issues: z.array(
          z.looseObject({
            project_id: z.int(),
            project_name: z.string(),
            issue_uid: z.string(),
            issue_short_id: z.string(),
            actions: z.array(z.string()),
          }),
        ),
      }),
    ),
  }),
);

export const digestGlobal = route({
  id: "digestGlobal",
  method: "GET",
  path: "/digest",
  access: "read",
  local: true,
  summary: "sum up who did what in every project",
  query: DigestQuery,
  response: Digest,
});

export const digestProject = route({
  id: "digestProject",
  method: "GET",
  path: "/projects/{project_id}/digest",
  access: "read",
  local: true,
  summary: "sum up who did what in a project",
  query: DigestQuery,
  response: Digest,
});

export const auditCloses = route({
  id: "auditCloses",
  method: "GET",
  path: "/audit/closes",
  access: "read",
  local: true,
  summary: "list what was closed, by whom and on what evidence",
  query: shape(() =>
    z.object({
      project_id: ProjectId(),
      since: z.string().optional().describe("RFC 3339, default the beginning of the log"),
      until: z.string().optional().describe("RFC 3339, default now"),
      actor: z.string().optional(),
      parent: IssueRef()
        .optional()
        .describe("only issues that were children of this issue when they were closed"),
      reason: CloseReason().optional(),
      no_evidence: z.boolean().optional().describe("only closes without evidence"),
      after_event_id: z.int().min(0).optional().describe("only closes after this event"),
      limit: Limit(),
      max_bytes: maxBytes(),
    }),
  ),
  response: component("CloseAuditResponse", () =>
    z.looseObject({
      ...cut(),
      next_after: z
        .int()
        .optional()
        .describe("present with max_bytes while there is more: the after_event_id of the rest"),
      rows: z.array(
        z.looseObject({
          time: Instant(),
          actor: z.string(),
          issue: z.string().describe("qualified id"),
          reason: z.string(),
          event_id: z.int().describe("pass that of the last row as after_event_id to read on"),
          message: z.string().optional(),
          parent: z.string().optional().describe("qualified id"),
          parent_uid: z.string().optional(),
          evidence_types: z.array(z.string()),
          evidence: z
            .array(z.looseObject({ type: z.string() }))
            .optional()
            .describe("each with its value, as in the request that closed the issue"),
          flags: z.array(z.enum(["no-evidence", "throttled"])),
        }),
      ),
    }),
  ),
  errors: ["project_not_found", "issue_not_found"],
});
