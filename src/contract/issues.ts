import { z } from "zod";
import { cut, fields, maxBytes } from "./budget.ts";
import { MAX_ISSUE_LABELS, MAX_ISSUE_UIDS, MAX_LINKS } from "./limits.ts";
import { LinkChanges, LinksDelta } from "./link-changes.ts";
import { Event, IssueOut, ListGlobalIssueOut, MutationResponse, warnings } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { ShowIssue } from "./shown-issue.ts";
import {
  Actor,
  AsOf,
  At,
  Body,
  detailFilters,
  familyFilters,
  IdempotencyKey,
  IfMatch,
  IssueRef,
  Label,
  Limit,
  LinkType,
  ListPlace,
  labelFilters,
  Metadata,
  Owner,
  OwnerOrNone,
  originFilters,
  ownerFilters,
  Priority,
  ProjectId,
  stateFilters,
  Title,
} from "./values.ts";

const route = routesOf("issues");

const filters = () => ({
  ...stateFilters(),
  limit: Limit(),
  ...ownerFilters(),
  ...labelFilters(),
  ...familyFilters(),
  ...originFilters(),
  ...detailFilters(),
  at: At(),
  after: ListPlace().optional(),
  fields: fields(),
  max_bytes: maxBytes(),
});

const paged = () => ({
  next_after: z
    .string()
    .optional()
    .describe(
      "present with `after` or `max_bytes` while there is another page: the `after` of that page",
    ),
  as_of: AsOf().describe("present with at or after: the moment that the answer shows"),
  ...cut(),
});

export const listAllIssues = route({
  id: "listAllIssues",
  method: "GET",
  path: "/issues",
  access: "read",
  local: true,
  summary: "list issues of every project, newest first",
  query: shape(() =>
    z.object({
      project_id: ProjectId().optional(),
      issue_uid: z
        .array(z.string())
        .max(MAX_ISSUE_UIDS)
        .optional()
        .describe(`only these issues, at most ${MAX_ISSUE_UIDS}; unknown uids are ignored`),
      ...filters(),
    }),
  ),
  response: component("ListAllIssuesResponse", () =>
    z.looseObject({ issues: z.array(ListGlobalIssueOut()), ...paged() }),
  ),
  errors: ["project_not_found"],
});

export const listIssues = route({
  id: "listIssues",
  method: "GET",
  path: "/projects/{project_id}/issues",
  access: "read",
  local: true,
  summary: "list a project's issues, last changed first",
  query: shape(() => z.object(filters())),
  response: component("ListIssuesResponse", () =>
    z.looseObject({ issues: z.array(IssueOut()), ...paged() }),
  ),
});

const InitialLink = component("InitialLink", () =>
  z.strictObject({
    type: LinkType(),
    to_ref: IssueRef(),
    incoming: z.boolean().optional().describe("for type blocks: the other issue blocks this one"),
    to_project_uid: z
      .string()
      .optional()
      .describe("refuse the request unless the other issue is in this project"),
  }),
);

export const createIssue = route({
  id: "createIssue",
  method: "POST",
  path: "/projects/{project_id}/issues",
  access: "write",
  local: true,
  summary: "create an issue",
  headers: shape(() => z.object({ "idempotency-key": IdempotencyKey() })),
  body: component("CreateIssueRequest", () =>
    z.strictObject({
      title: Title(),
      body: Body().optional(),
      owner: Owner().optional(),
      priority: Priority().optional(),
      labels: z.array(Label()).max(MAX_ISSUE_LABELS).optional(),
      links: z.array(InitialLink()).max(MAX_LINKS).optional(),
      metadata: Metadata().optional(),
      force_new: z.boolean().optional().describe("create the issue even if similar issues exist"),
      actor: Actor(),
    }),
  ),
  response: MutationResponse,
  errors: [
    "issue_not_found",
    "invalid_metadata_value",
    "idempotency_mismatch",
    "idempotency_deleted",
    "duplicate_candidates",
    "link_target_archived",
    "claim_denied",
    "claim_expired",
  ],
});

const ShowQuery = shape(() =>
  z.object({
    include_deleted: z.boolean().optional(),
    max_bytes: z
      .int()
      .min(0)
      .optional()
      .describe(
        "leave out the oldest comments, the last children and links until the answer fits into this many bytes of JSON; never the issue itself; 0 is no limit (API 0.15.0)",
      ),
    comments_limit: z
      .int()
      .min(0)
      .optional()
      .describe("only this many of the newest comments (API 0.20.0)"),
    comments_before: z
      .string()
      .optional()
      .describe("only comments that are older than the one with this uid (API 0.20.0)"),
    comment: z
      .string()
      .optional()
      .describe("only the comment with this uid, whatever the other two say (API 0.20.0)"),
  }),
);

export const showIssue = route({
  id: "showIssue",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}",
  access: "read",
  local: true,
  summary: "show an issue with its comments, labels, links and children",
  query: shape(() => ShowQuery().extend({ at: At() })),
  response: ShowIssue,
});

export const showIssueByUID = route({
  id: "showIssueByUID",
  method: "GET",
  path: "/issues/{uid}",
  access: "read",
  local: true,
  summary: "show an issue by its uid or the first eight or more characters of it",
  params: shape(() => z.object({ uid: z.string() })),
  query: shape(() => ShowQuery().extend({ at: At() })),
  response: ShowIssue,
  errors: ["issue_not_found", "prefix_too_short", "prefix_ambiguous"],
});

const BodyHash = () => z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");

export const editIssue = route({
  id: "editIssue",
  method: "PATCH",
  path: "/projects/{project_id}/issues/{ref}",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "change an issue's fields and links in one step",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("EditIssueRequest", () =>
    z.strictObject({
      title: Title().optional(),
      body: Body().optional(),
      expected_body_hash: BodyHash()
        .optional()
        .describe(
          "refuse the request unless this is the SHA-256 of the issue's body as UTF-8, in lower-case hex (API 0.17.0)",
        ),
      owner: OwnerOrNone().optional(),
      set_priority: Priority().optional(),
      clear_priority: z.boolean().optional(),
      links_delta: LinksDelta().optional(),
      metadata: Metadata().optional().describe("keys to merge; null removes a key (API 0.16.0)"),
      actor: Actor(),
    }),
  ),
  response: component("EditIssueResponse", () =>
    z.looseObject({
      issue: IssueOut(),
      event: Event().nullable(),
      events: z.array(Event()),
      changed: z.boolean(),
      changes: LinkChanges().optional(),
      ...warnings(),
    }),
  ),
  errors: [
    "parent_mismatch",
    "link_target_archived",
    "revision_conflict",
    "body_conflict",
    "invalid_metadata_value",
  ],
});

export const patchIssueMetadata = route({
  id: "patchIssueMetadata",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/metadata",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "merge keys into an issue's metadata; null removes a key",
  headers: shape(() => z.object({ "if-match": IfMatch() })),
  body: component("PatchMetadataRequest", () =>
    z.strictObject({ patch: Metadata(), actor: Actor() }),
  ),
  response: component("PatchIssueMetadataResponse", () =>
    z.looseObject({ issue: IssueOut(), changed: z.boolean(), event: Event().nullable() }),
  ),
  responseHeaders: { ETag: 'the revision as "rev-N"' },
  errors: ["invalid_metadata_value", "revision_conflict"],
});
