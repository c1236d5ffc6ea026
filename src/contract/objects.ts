import { z } from "zod";
import { component, shape } from "./shape.ts";
import { Count, Instant, LinkType, Metadata, Status } from "./values.ts";

/**
 * This file has the objects that several responses share (docs/contract/http-api.md#30-shared-objects). Clients keep
 * fields that they do not know.
 */

export const LinkPeer = component("LinkPeer", () =>
  z.looseObject({
    uid: z.string(),
    short_id: z.string(),
    project: z.string(),
    qualified_id: z.string(),
  }),
);

/** The issue on a code host from which this issue is read. */
const Synced = component("Synced", () =>
  z.looseObject({
    provider: z.string(),
    number: z.int().describe("the number of the issue in its repository"),
    url: z.string().describe("the page of the issue for people"),
  }),
);

/** The connector whose record owns title and body of the issue. */
const ExternalRoot = component("ExternalRoot", () =>
  z.looseObject({
    connector_instance: z.string(),
    enabled: z.boolean().describe("false while the bridge is paused"),
  }),
);

/** The fields that every form of an issue has. */
export const issueCore = () => ({
  id: z.int(),
  uid: z.string(),
  project_id: z.int(),
  project_uid: z.string().optional(),
  short_id: z.string(),
  qualified_id: z.string(),
  title: z.string(),
  body: z.string(),
  status: Status(),
  closed_reason: z.string().optional(),
  owner: z.string().optional(),
  priority: z.int().optional(),
  author: z.string(),
  metadata: Metadata(),
  revision: z.int(),
  recurrence_id: z.int().optional().describe("local id of the series that created the issue"),
  recurrence_uid: z.string().optional(),
  occurrence_key: z.string().optional().describe("the day of the issue in its series, YYYY-MM-DD"),
  created_at: Instant(),
  updated_at: Instant(),
  closed_at: Instant().optional(),
  deleted_at: Instant().optional(),
});

const issueOut = () => ({
  ...issueCore(),
  labels: z.array(z.string()),
  parent: LinkPeer().optional(),
  ...owners(),
  blocks: z.array(LinkPeer()),
  blocked_by: z.array(LinkPeer()),
  related: z.array(LinkPeer()),
  blocked: z.boolean().describe("whether an open issue blocks it"),
  child_counts: z.looseObject({ open: Count(), total: Count() }),
  truncated: z
    .boolean()
    .optional()
    .describe(
      "true in the first row of a list with max_bytes that would not fit: only the first entries of the fields in counts are there (API 0.15.0)",
    ),
  counts: z
    .looseObject({
      labels: Count().optional(),
      metadata: Count().optional(),
      blocks: Count().optional(),
      blocked_by: Count().optional(),
      related: Count().optional(),
    })
    .optional()
    .describe("present with truncated: how many entries each field that was cut has"),
});

const owners = () => ({
  synced: Synced()
    .optional()
    .describe(
      "present if issue sync reads the issue from a code host, which owns its title, body, status, owner, and the labels, comments and parent that came from there; absent in the past",
    ),
  external_root: ExternalRoot()
    .optional()
    .describe(
      "present if a record of another tracker owns title and body; absent in the past (API 0.22.0)",
    ),
});

export const IssueOut = component("IssueOut", () => z.looseObject(issueOut()));
export const ListGlobalIssueOut = component("ListGlobalIssueOut", () =>
  z.looseObject({ ...issueOut(), project_name: z.string() }),
);
export const ReadyGlobalIssueOut = component("ReadyGlobalIssueOut", () =>
  z.looseObject({ ...issueOut(), project_name: z.string() }),
);
export const ShowIssueOut = component("ShowIssueOut", () =>
  z.looseObject({ ...issueCore(), labels: z.array(z.string()), ...owners() }),
);

export const ReachableGraphNode = component("ReachableGraphNode", () => z.looseObject(issueCore()));

export const IssueReference = component("IssueRef", () =>
  z.looseObject({
    uid: z.string(),
    short_id: z.string(),
    qualified_id: z.string(),
    title: z.string(),
    status: Status(),
  }),
);

export const LinkOut = component("LinkOut", () =>
  z.looseObject({
    id: z.int(),
    from: LinkPeer(),
    to: LinkPeer(),
    type: LinkType(),
    author: z.string(),
    created_at: Instant(),
  }),
);

export const IssueLabel = component("IssueLabel", () =>
  z.looseObject({
    issue_id: z.int(),
    label: z.string(),
    author: z.string(),
    created_at: Instant(),
  }),
);

export const Comment = component("Comment", () =>
  z.looseObject({
    id: z.int(),
    uid: z.string(),
    issue_id: z.int(),
    author: z.string(),
    body: z.string(),
    created_at: Instant(),
    teammate: z.string().optional(),
  }),
);

const place = () => ({
  origin_instance_uid: z.string(),
  project_id: z.int(),
  project_uid: z.string(),
  project_name: z.string(),
  issue_id: z.int().optional(),
  issue_uid: z.string().optional(),
  issue_short_id: z.string().optional(),
  related_issue_id: z.int().optional(),
  related_issue_uid: z.string().optional(),
  related_issue_short_id: z.string().optional(),
  type: z.string(),
  actor: z.string(),
});

const clockAndHash = () => ({
  hlc_physical_ms: z.int(),
  hlc_counter: z.int(),
  content_hash: z.string().describe("64 lower-case hex digits"),
  created_at: Instant(),
});

/** An event in the answer to a change. */
export const Event = component("Event", () =>
  z.looseObject({
    id: z.int(),
    uid: z.string(),
    ...place(),
    payload: z.string().describe("JSON text"),
    ...clockAndHash(),
  }),
);

/** An event in a poll or stream. */
export const EventEnvelope = component("EventEnvelope", () =>
  z.looseObject({
    event_id: z.int(),
    event_uid: z.string(),
    ...place(),
    payload: Metadata(),
    ...clockAndHash(),
    chain: z
      .string()
      .optional()
      .describe(
        "32 lower-case hex digits: a hash of the whole log of this daemon up to the event; X-Svc-Log takes it (API 0.19.0)",
      ),
    overwritten_by: z
      .looseObject({ event_uid: z.string(), actor: z.string(), at: Instant() })
      .optional()
      .describe(
        "only where the events of one issue are read: the write of another daemon that won over a value of this event without knowing it",
      ),
    skipped_at: Instant()
      .optional()
      .describe(
        "when it was decided that the hub never gets the event, which changes nothing since",
      ),
  }),
);

const NextIssue = component("NextIssue", () =>
  z.looseObject({
    uid: z.string(),
    short_id: z.string(),
    qualified_id: z.string(),
    title: z.string(),
    occurrence_key: z.string(),
  }),
);

const Warning = component("Warning", () =>
  z.looseObject({
    code: z
      .string()
      .describe(
        "host_owned: a code host owns what was edited, and will overwrite the edit; link_stays_here: the hub of a copy does not have one of the issues, so only this daemon shows the link",
      ),
    message: z.string(),
    fields: z.array(z.string()).optional().describe("for host_owned: the fields that were edited"),
  }),
);

/** The warnings in the answer to an edit. The edit is made in spite of them. */
export const warnings = () => ({
  warnings: z.array(Warning()).optional().describe("the edit was made, and this is wrong with it"),
});

export const MutationResponse = component("MutationResponse", () =>
  z.looseObject({
    issue: IssueOut(),
    event: Event().nullable(),
    changed: z.boolean(),
    original_event: Event().optional(),
    reused: z.boolean().optional(),
    next_issue: NextIssue()
      .optional()
      .describe("after a close as done: the next issue of the series"),
    ...warnings(),
  }),
);

export const Project = component("Project", () => z.looseObject(project()));

const project = () => ({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  metadata: Metadata(),
  revision: z.int(),
  created_at: Instant(),
  deleted_at: Instant().optional(),
});

export const ProjectOut = component("ProjectOut", () =>
  z.looseObject({
    ...project(),
    stats: z
      .looseObject({ open: Count(), closed: Count(), last_event_at: Instant().nullable() })
      .optional(),
    copy_of: z
      .looseObject({ hub_url: z.string(), hub_project_id: z.int(), read_only: z.boolean() })
      .optional()
      .describe("of a copy: its hub, and whether changes are made only there"),
  }),
);

export const ProjectAlias = component("ProjectAlias", () =>
  z.looseObject({
    id: z.int(),
    project_id: z.int(),
    alias_identity: z.string(),
    alias_kind: z.enum(["git", "local"]),
    created_at: Instant(),
  }),
);

export const ProjectAndAliases = shape(() =>
  z.looseObject({ project: Project(), aliases: z.array(ProjectAlias()) }),
);
