import { z } from "zod";
import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "./limits.ts";
import { EventEnvelope } from "./objects.ts";
import { route } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Count, ProjectId, ProjectParams } from "./values.ts";

const tag = "events";

const PollQuery = shape(() =>
  z.object({
    after_id: z.int().min(0).optional().describe("cursor: events after this one"),
    limit: z
      .int()
      .positive()
      .optional()
      .describe(`${EVENTS_DEFAULT_LIMIT} unless said, at most ${EVENTS_MAX_LIMIT}`),
  }),
);

const PollEvents = component("PollEventsResponse", () =>
  z.looseObject({
    reset_required: z.boolean().describe("the cursor is too old: read everything again"),
    reset_after_id: Count().optional(),
    events: z.array(EventEnvelope()),
    next_after_id: Count(),
  }),
);

export const pollEvents = route({
  id: "pollEvents",
  method: "GET",
  path: "/events",
  access: "read",
  tag,
  summary: "read the events of every project after a cursor",
  query: PollQuery,
  response: PollEvents,
});

export const pollProjectEvents = route({
  id: "pollProjectEvents",
  method: "GET",
  path: "/projects/{project_id}/events",
  access: "read",
  tag,
  summary: "read a project's events after a cursor",
  params: ProjectParams,
  query: PollQuery,
  response: PollEvents,
  errors: ["project_not_found"],
});

/** The answer is `text/event-stream` (facts http-api 5.4); the daemon serves it apart from `bind`. */
export const streamEvents = route({
  id: "streamEvents",
  method: "GET",
  path: "/events/stream",
  access: "write",
  tag,
  summary: "follow events as they happen (server-sent events)",
  query: shape(() =>
    z.object({
      after_id: z.int().min(0).optional().describe("excludes Last-Event-ID"),
      project_id: ProjectId().optional(),
    }),
  ),
  headers: shape(() => z.object({ "last-event-id": z.string().optional() })),
  response: shape(() =>
    z.string().describe("frames of `id`, `event` and `data` (an EventEnvelope)"),
  ),
  responseType: "text/event-stream",
  errors: ["cursor_conflict", "not_acceptable", "project_not_found"],
});
