import { z } from "zod";
import { isInvisible } from "../base/visible.ts";
import { isAddress } from "./address.ts";
import { MAX_ADDRESS_BYTES, MAX_MESSAGE_BYTES } from "./limits.ts";
import { logHeader } from "./log-mark.ts";
import { Event, IssueOut } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, IfMatch, Instant, ProjectId, Teammate } from "./values.ts";

const route = routesOf("inbox");

/**
 * Addresses are compared exactly: `worker` and `worker/adapter` are different
 * (docs/contract/cron-and-inbox.md#101-addresses-and-slots).
 */
const Address = shape(() =>
  z
    .string()
    .trim()
    .refine(isAddress, `must be 1 to ${MAX_ADDRESS_BYTES} bytes without control characters`)
    .meta({ minLength: 1, description: `an exact name, at most ${MAX_ADDRESS_BYTES} bytes` }),
);

/**
 * The address for a new request. It must have a visible character. Older versions of svc accepted invisible addresses;
 * requests to those can still be read and cleared.
 */
const Asked = shape(() =>
  Address().refine((text) => !isInvisible(text), { error: "must not be blank", abort: true }),
);

const encoder = new TextEncoder();

const Message = shape(() =>
  z
    .string()
    .refine((text) => !isInvisible(text), { error: "must not be blank", abort: true })
    .refine((text) => !text.includes("\u0000"), { error: "must not contain NUL", abort: true })
    .refine(
      (text) => encoder.encode(text).length <= MAX_MESSAGE_BYTES,
      `must be at most ${MAX_MESSAGE_BYTES} bytes`,
    )
    .meta({ minLength: 1, description: `at most ${MAX_MESSAGE_BYTES} bytes` }),
);

export const INBOX_ORDERS = ["ref", "oldest"] as const;

const InboxRequest = component("InboxRequest", () =>
  z.looseObject({
    ref: z.string().describe("short id, or qualified id if all projects were requested"),
    project: z.string().optional().describe("present if all projects were requested"),
    title: z.string(),
    from: z
      .string()
      .describe(
        "the actor of the event that made the request, whatever name its metadata has; only if that event was purged, the name in the metadata",
      ),
    teammate: z.string().optional(),
    message: z.string(),
    project_id: ProjectId(),
    issue_uid: z.string(),
    revision: z.int().describe("revision of the issue"),
    event_uid: z
      .string()
      .optional()
      .describe(
        "identifies this request; send it as expected_event_uid so that no newer request is cleared",
      ),
    requested_at: Instant().optional(),
  }),
);

const Inbox = component("Inbox", () =>
  z.looseObject({
    recipient: z.string(),
    project: z.string().optional(),
    all_projects: z.boolean().optional(),
    cursor: z
      .int()
      .describe("id of the last event at the time of reading; a stream can go on from here"),
    requests: z.array(InboxRequest()).describe("in the `order` that was asked for"),
    skipped: z
      .array(z.looseObject({ ref: z.string(), reason: z.string() }))
      .describe("metadata in the place of a request that is malformed as a whole or in part"),
  }),
);

const InboxQuery = shape(() =>
  z.object({
    for: Address(),
    order: z
      .enum(INBOX_ORDERS)
      .optional()
      .describe("oldest: those that wait longest first; default ref (API 0.15.0)"),
  }),
);

export const listInbox = route({
  id: "listInbox",
  method: "GET",
  path: "/projects/{project_id}/inbox",
  access: "read",
  local: true,
  summary: "list the requests to one address on open issues of a project",
  query: InboxQuery,
  response: Inbox,
  responseHeaders: logHeader,
});

export const listInboxGlobal = route({
  id: "listInboxGlobal",
  method: "GET",
  path: "/inbox",
  access: "read",
  local: true,
  summary: "list the requests to one address on open issues of every project",
  query: InboxQuery,
  response: Inbox,
  responseHeaders: logHeader,
});

const Replaced = component("ReplacedRequest", () =>
  z.looseObject({
    from: z.string(),
    teammate: z.string().optional(),
    message: z.string(),
    event_uid: z.string().optional(),
    requested_at: Instant().optional(),
  }),
);

const NotifyChange = component("InboxRequestMade", () =>
  z.looseObject({
    issue: IssueOut(),
    changed: z.boolean(),
    event: Event().nullable(),
    replaced: Replaced()
      .optional()
      .describe("the earlier request to the same address, which nobody sees in the inbox any more"),
  }),
);

const RequestChange = component("InboxRequestChange", () =>
  z.looseObject({ issue: IssueOut(), changed: z.boolean(), event: Event().nullable() }),
);

export const notifyIssue = route({
  id: "notifyIssue",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/notify",
  access: "write",
  local: true,
  fenced: "gate",
  summary:
    "ask an address to look at an open issue, replacing an earlier request to the same address",
  body: component("NotifyIssueRequest", () =>
    z.strictObject({
      to: Asked(),
      message: Message(),
      teammate: Teammate().optional(),
      actor: Actor(),
    }),
  ),
  response: NotifyChange,
});

export const clearIssueRequest = route({
  id: "clearIssueRequest",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/actions/clear-request",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "clear the request to an address after it was handled",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("ClearIssueRequestRequest", () =>
    z.strictObject({
      to: Address(),
      event_uid: z
        .string()
        .optional()
        .describe(
          "event_uid of the request that was handled; if a newer request has replaced it, the call is refused",
        ),
      actor: Actor(),
    }),
  ),
  response: RequestChange,
  errors: ["request_replaced", "revision_conflict"],
});
