import type { EventKind, Payload, StoredEvent } from "../../src/contract/events.ts";
import { eventOf } from "./rows.ts";

const AT = "2026-03-03T00:00:00.000Z";
const on = { issue_uid: "A" };

export const created = {
  uid: "A",
  short_id: "a",
  title: "one",
  body: "text",
  author: "ann",
  status: "open",
  metadata: { note: 1 },
  created_at: AT,
} as const;

const claim = {
  claim_uid: "C",
  fence: 1,
  holder: "ann",
  holder_instance_uid: "I",
  client_kind: "",
  claim_kind: "hard",
  purpose: "",
  acquired_at: AT,
  updated_at: AT,
} as const;

const bridge = {
  binding_uid: "R",
  connector_instance: "notes",
  external_root_key: "a.md",
  actor: "ann",
  active: true,
  enabled: true,
} as const;

/** Repeats the label and the comment that the issue may have already, and adds one of each. */
export const snapshot: Payload<"issue.snapshot"> = {
  ...created,
  owner: "cyd",
  revision: 7,
  updated_at: AT,
  labels: [
    { label: "x", author: "cyd", created_at: AT },
    { label: "y", author: "cyd", created_at: AT },
  ],
  links: [
    { type: "parent", to_issue_uid: "B", author: "cyd", created_at: AT },
    { type: "blocks", to_issue_uid: "C", author: "cyd", created_at: AT },
  ],
  comments: [
    { comment_uid: "K", author: "cyd", body: "other", created_at: AT },
    { comment_uid: "L", author: "cyd", body: "new", created_at: AT },
  ],
};

const clock = { version: 1, physical_ms: 5, counter: 0, origin_instance_uid: "I" } as const;

const definition = {
  uid: "J",
  project_uid: "gone",
  name: "nightly",
  definition: {},
  author: "ann",
  created_at: AT,
  updated_at: AT,
};
const definitionSnapshot = {
  ...definition,
  definition_event_uid: "E",
  definition_hlc: clock,
  revision: 4,
};
const run: Payload<"cron.run.observed"> = {
  uid: "R",
  project_uid: "gone",
  actor: "ann",
  status: "running",
  summary: { version: 1 },
  revision: 1,
  created_at: AT,
  updated_at: AT,
};
const gone = { project_uid: "gone" };

export const series = {
  recurrence_uid: "R",
  rrule: "FREQ=DAILY",
  dtstart: "2026-02-01",
  timezone: "UTC",
  template_title: "water the plants",
  template_body: "",
  template_labels: [],
  template_metadata: {},
  next_occurrence_key: "2026-02-01",
};
export const occurrence = { recurrence_uid: "R", occurrence_key: "2026-02-01", updated_at: AT };

/** One event of every kind, each about something that does not exist. */
export const ORPHAN_EVENTS: { readonly [K in EventKind]: StoredEvent<K> } = {
  "project.created": eventOf("project.created", { name: "x" }),
  "project.renamed": eventOf("project.renamed", { from: "a", to: "b" }),
  "project.alias_added": eventOf("project.alias_added", { alias_identity: "x", alias_kind: "git" }),
  "project.alias_removed": eventOf("project.alias_removed", {
    alias_identity: "x",
    alias_kind: "git",
  }),
  "project.removed": eventOf("project.removed", { alias_count: 0, open_issues: 0 }),
  "project.restored": eventOf("project.restored", {}),
  "project.metadata_updated": eventOf("project.metadata_updated", {
    diff: {},
    revision_new: 2,
    updated_at: AT,
  }),
  "project.merged": eventOf(
    "project.merged",
    {
      source_uid: "P",
      source_name: "web",
      short_id_extensions: [{ uid: "A", pre_merge_short_id: "a", post_merge_short_id: "aa" }],
    },
    { project_uid: "Q" },
  ),
  "project.author_rewritten": eventOf("project.author_rewritten", {
    project_uid: "P",
    from: "ann",
    to: "bea",
    issue_authors: 3,
    issue_owners: 0,
    comment_authors: 0,
    link_authors: 3,
    total: 6,
    updated_at: AT,
  }),
  "project.federation_enabled": eventOf("project.federation_enabled", {
    project_uid: "gone",
    project_name: "web",
    metadata: { color: "red" },
    revision: 3,
    purged_uids: [],
    spent_short_ids: [],
    former_short_ids: [],
  }),
  "issue.imported": eventOf(
    "issue.imported",
    { source: "beads", external_id: "bd-1", fields: {}, source_updated_at: AT },
    on,
  ),
  "issue.external_root_bound": eventOf(
    "issue.external_root_bound",
    { ...bridge, action: "bound" },
    on,
  ),
  "issue.external_root_paused": eventOf(
    "issue.external_root_paused",
    { ...bridge, enabled: false, action: "paused", reason: "holidays" },
    on,
  ),
  "issue.external_root_resumed": eventOf(
    "issue.external_root_resumed",
    { ...bridge, action: "resumed" },
    on,
  ),
  "issue.external_root_unbound": eventOf(
    "issue.external_root_unbound",
    { ...bridge, active: false, enabled: false, action: "unbound" },
    on,
  ),
  "issue.external_comment_resolved": eventOf(
    "issue.external_comment_resolved",
    { ...bridge, action: "skip", pending_comment_uid: "K" },
    on,
  ),
  "issue.external_field_conflicted": eventOf(
    "issue.external_field_conflicted",
    { ...bridge, action: "conflicted", svc_field: "deadline_on" },
    on,
  ),
  "issue.external_field_resolved": eventOf(
    "issue.external_field_resolved",
    { ...bridge, action: "resolved", svc_field: "deadline_on" },
    on,
  ),
  "issue.moved": eventOf(
    "issue.moved",
    {
      from_project_uid: "P",
      to_project_uid: "Q",
      from_short_id: "a",
      to_short_id: "a",
      updated_at: AT,
    },
    on,
  ),
  "recurrence.created": eventOf("recurrence.created", series, gone),
  "recurrence.updated": eventOf("recurrence.updated", {
    recurrence_uid: "R",
    diff: { rrule: { from: "FREQ=DAILY", to: "FREQ=WEEKLY" } },
    revision_new: 2,
    updated_at: AT,
  }),
  "recurrence.deleted": eventOf("recurrence.deleted", { recurrence_uid: "R", deleted_at: AT }),
  "recurrence.materialized": eventOf("recurrence.materialized", {
    ...occurrence,
    issue_uid: "B",
    next_occurrence_key: null,
  }),
  "recurrence.materialization_skipped": eventOf("recurrence.materialization_skipped", {
    ...occurrence,
    existing_issue_uid: "B",
    reason: "already_exists",
  }),
  "close.throttled": eventOf("close.throttled", { reason: "sibling-burst", parent: "b" }, on),
  "issue.created": eventOf("issue.created", created, on),
  "issue.snapshot": eventOf("issue.snapshot", snapshot, on),
  "issue.updated": eventOf("issue.updated", { title: "x", updated_at: AT }, on),
  "issue.assigned": eventOf("issue.assigned", { owner: "x", updated_at: AT }, on),
  "issue.unassigned": eventOf("issue.unassigned", { owner: null, updated_at: AT }, on),
  "issue.priority_set": eventOf("issue.priority_set", { priority: 1, updated_at: AT }, on),
  "issue.priority_cleared": eventOf("issue.priority_cleared", { updated_at: AT }, on),
  "issue.labeled": eventOf("issue.labeled", { label: "x", updated_at: AT }, on),
  "issue.unlabeled": eventOf("issue.unlabeled", { label: "x", updated_at: AT }, on),
  "issue.linked": eventOf(
    "issue.linked",
    {
      type: "blocks",
      from_short_id: "a",
      from_uid: "A",
      to_short_id: "b",
      to_uid: "B",
      updated_at: AT,
    },
    on,
  ),
  "issue.unlinked": eventOf(
    "issue.unlinked",
    {
      type: "blocks",
      from_short_id: "a",
      from_uid: "A",
      to_short_id: "b",
      to_uid: "B",
      link_from_uid: "A",
      link_to_uid: "B",
      updated_at: AT,
    },
    on,
  ),
  "issue.links_changed": eventOf(
    "issue.links_changed",
    { parent_set_uid: "B", blocks_removed_uids: ["C"], updated_at: AT },
    on,
  ),
  "issue.commented": eventOf(
    "issue.commented",
    { comment_uid: "K", author: "a", body: "b", created_at: AT },
    on,
  ),
  "issue.comment_edited": eventOf(
    "issue.comment_edited",
    { comment_uid: "K", body: "b", edited_at: AT },
    on,
  ),
  "issue.closed": eventOf(
    "issue.closed",
    { reason: "done", closed_at: AT, parent_uid: "", parent_short_id: "" },
    on,
  ),
  "claim.acquired": eventOf("claim.acquired", claim, on),
  "claim.renewed": eventOf("claim.renewed", claim, on),
  "claim.released": eventOf("claim.released", claim, on),
  "claim.expired": eventOf("claim.expired", claim, on),
  "claim.force_released": eventOf("claim.force_released", claim, on),
  "claim.violated": eventOf(
    "claim.violated",
    {
      ...claim,
      issue_uid: "A",
      offending_event_uid: "E",
      offending_event_type: "issue.updated",
      offending_origin_instance_uid: "S",
    },
    on,
  ),
  "cron.job.created": eventOf("cron.job.created", definition, gone),
  "cron.job.updated": eventOf("cron.job.updated", definition, gone),
  "cron.job.deleted": eventOf("cron.job.deleted", definition, gone),
  "cron.job.restored": eventOf("cron.job.restored", definition, gone),
  "cron.workflow.created": eventOf("cron.workflow.created", definition, gone),
  "cron.workflow.updated": eventOf("cron.workflow.updated", definition, gone),
  "cron.workflow.deleted": eventOf("cron.workflow.deleted", definition, gone),
  "cron.workflow.restored": eventOf("cron.workflow.restored", definition, gone),
  "cron.job.snapshot": eventOf("cron.job.snapshot", definitionSnapshot, gone),
  "cron.workflow.snapshot": eventOf("cron.workflow.snapshot", definitionSnapshot, gone),
  "cron.run.observed": eventOf("cron.run.observed", run, gone),
  "cron.run.snapshot": eventOf(
    "cron.run.snapshot",
    { ...run, observation_event_uid: "E", observation_hlc: clock },
    gone,
  ),
  "token.created": eventOf("token.created", {
    token_uid: "T",
    actor: "ann",
    token_hash: "0".repeat(64),
  }),
  "token.revoked": eventOf("token.revoked", { token_uid: "T", actor: "ann", revoked_at: AT }),
  "issue.reopened": eventOf("issue.reopened", { reopened_at: AT, updated_at: AT }, on),
  "issue.soft_deleted": eventOf("issue.soft_deleted", { deleted_at: AT }, on),
  "issue.restored": eventOf("issue.restored", { restored_at: AT, updated_at: AT }, on),
  "issue.metadata_updated": eventOf(
    "issue.metadata_updated",
    { diff: { a: { to: 1 } }, revision_new: 2, updated_at: AT },
    on,
  ),
};
