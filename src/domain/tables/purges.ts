import { instant, integer, nullable, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * Why the tables of purges are not folded. A purge writes rows of these tables in place of the events that it deletes
 * (docs/contract/http-api.md#30-shared-objects, Purge records).
 */
const NOT_FOLDED = {
  not: "a purge is no event; it deletes the events of its subject",
} as const;

const count = () => integer(0);

const purge = {
  uid: uid(),
  origin_instance_uid: uid(),
  project_id: integer(1),
  project_uid: uid(),
  project_name: text(),
  event_count: count(),
  events_deleted_min_id: nullable(integer(1)),
  events_deleted_max_id: nullable(integer(1)),
  purge_reset_after_event_id: integer(1),
  comment_count: count(),
  link_count: count(),
  label_count: count(),
  actor: text(),
  reason: nullable(text()),
  purged_at: instant(),
  /** The rows that the purge added to `spent_id`, as `project_uid#short_id`, separated by spaces. */
  spent_ids: text({ absent: "" }),
} as const;

export const purge_log = table({
  folded: NOT_FOLDED,
  numbered: true,
  key: ["uid"],
  columns: {
    ...purge,
    purged_issue_id: integer(1),
    issue_uid: uid(),
    short_id: text(),
    issue_title: text(),
    issue_author: text(),
  },
  belongs: { project: "project_uid" },
  record: { kind: "purge_log" },
});

export const project_purge_log = table({
  folded: NOT_FOLDED,
  numbered: true,
  key: ["uid"],
  columns: {
    ...purge,
    issue_count: count(),
    alias_count: count(),
    claim_count: count(),
    pending_claim_request_count: count(),
    /** The uids of the issues, separated by spaces. */
    issue_uids: text({ absent: "" }),
  },
  belongs: { none: "it remains when the project is gone" },
  record: { kind: "project_purge_log" },
});

/**
 * Readers of a project's events whose cursor is below `after_event_id` must start again
 * (docs/contract/http-api.md#53-purge-and-reset).
 */
export const purge_reset = table({
  folded: NOT_FOLDED,
  numbered: false,
  key: ["project_uid"],
  columns: { project_uid: uid(), after_event_id: integer(1) },
  belongs: { none: "it makes readers of a purged project start again" },
  record: { none: "a restore reads it from the records of purges" },
});

/** The uids of purged issues. Events of other daemons about these issues, and links to them, are ignored. */
export const purged_issue = table({
  folded: NOT_FOLDED,
  numbered: false,
  key: ["issue_uid"],
  columns: { issue_uid: uid() },
  belongs: { none: "it remains when the issue and its project are gone" },
  record: { none: "a restore reads it from the records of purges" },
});

/** Short ids of purged issues; they are never used again. */
export const spent_id = table({
  folded: NOT_FOLDED,
  numbered: false,
  key: ["project_uid", "short_id"],
  columns: { project_uid: uid(), short_id: text() },
  belongs: { project: "project_uid" },
  record: { none: "a restore reads it from the records of purges" },
});

/** Local ids of projects that were purged or merged into others; they are never used again. */
export const spent_project = table({
  folded: NOT_FOLDED,
  numbered: false,
  key: ["id"],
  columns: { id: integer(1) },
  belongs: { none: "the id stays spent" },
  record: { none: "a restore reads it from the records of purges" },
});
