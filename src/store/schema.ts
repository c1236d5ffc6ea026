import type { Insertable, Selectable } from "kysely";

/**
 * The tables as both databases hold them. Names are wire names. Opaque JSON is kept as text, so that numbers keep
 * their spelling; booleans are 0 or 1; instants are UTC text with milliseconds.
 *
 * Folded from the log: project, alias, issue, label, link, comment, idempotency, import, former, lease, recurrence, cron_jobs, cron_workflows, cron_runs. Derived from those
 * and kept by `derive.ts` and `settle.ts`: the counting and readiness columns of project and issue, issue_meta, label_count, issue_text. Of the events themselves: event_mention. None of these:
 * meta, log_head, and what a purge leaves in place of the events it deletes: purge_log, project_purge_log,
 * purge_reset, spent_id, spent_project; and election, which says nothing of issues.
 */
export interface Tables {
  meta: MetaTable;
  log_head: LogHeadTable;
  purge_reset: PurgeResetTable;
  project: ProjectTable;
  alias: AliasTable;
  issue: IssueTable;
  issue_meta: IssueMetaTable;
  label: LabelTable;
  label_count: LabelCountTable;
  link: LinkTable;
  comment: CommentTable;
  idempotency: IdempotencyTable;
  import: ImportTable;
  former: FormerTable;
  lease: LeaseTable;
  recurrence: RecurrenceTable;
  cron_jobs: CronJobTable;
  cron_workflows: CronDefinitionTable;
  cron_runs: CronRunTable;
  event: EventTable;
  event_mention: EventMentionTable;
  purge_log: PurgeLogTable;
  project_purge_log: ProjectPurgeLogTable;
  spent_id: SpentIdTable;
  spent_project: SpentProjectTable;
  election: ElectionTable;
}

/** What a database says of itself: `instance_uid`, `schema_version`, `timezone`. */
export interface MetaTable {
  key: string;
  value: string;
}

/** One row: the place of the last event (or of the last id that a purge reserved) and the last clock seen. */
export interface LogHeadTable {
  one: number;
  last_event_id: number;
  hlc_physical_ms: number;
  hlc_counter: number;
}

/** Readers of a project whose cursor is below `after_event_id` start anew (facts http-api 5.3). */
export interface PurgeResetTable {
  project_uid: string;
  after_event_id: number;
}

export interface ProjectTable {
  id: number;
  uid: string;
  name: string;
  metadata: string;
  revision: number;
  created_at: string;
  deleted_at: string | null;
  open_issues: number;
  closed_issues: number;
}

export interface AliasTable {
  id: number;
  alias_identity: string;
  alias_kind: "git" | "local";
  project_uid: string;
  created_at: string;
}

export interface IssueTable {
  id: number;
  uid: string;
  project_uid: string;
  short_id: string;
  title: string;
  body: string;
  status: "open" | "closed";
  closed_reason: string | null;
  owner: string | null;
  priority: number | null;
  author: string;
  metadata: string;
  revision: number;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  deleted_at: string | null;
  open_blockers: number;
  open_children: number;
  total_children: number;
  parked: 0 | 1;
  held: 0 | 1;
  ready_from: string | null;
  recurrence_uid: string | null;
  occurrence_key: string | null;
  /** The local id of its series, where that is here. */
  recurrence_id: number | null;
}

export interface RecurrenceTable {
  id: number;
  uid: string;
  project_uid: string;
  rrule: string;
  dtstart: string;
  timezone: string;
  template_title: string;
  template_body: string;
  template_owner: string | null;
  template_priority: number | null;
  template_labels: string;
  template_metadata: string;
  next_occurrence_key: string | null;
  last_materialized_uid: string | null;
  author: string;
  revision: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

/** Metadata keys of live and deleted issues, so that lists can be driven by one: see `meta-key.ts` for `value`. */
export interface IssueMetaTable {
  issue_uid: string;
  key: string;
  value: string | null;
}

export interface LabelTable {
  issue_uid: string;
  label: string;
  author: string;
  created_at: string;
}

/** How many issues of a project carry a label, deleted ones apart; what no issue carries any more may stay with 0. */
export interface LabelCountTable {
  project_uid: string;
  label: string;
  count: number;
}

export interface LinkTable {
  id: number;
  from_uid: string;
  to_uid: string;
  type: "parent" | "blocks" | "related";
  author: string;
  created_at: string;
}

export interface CommentTable {
  id: number;
  uid: string;
  issue_uid: string;
  author: string;
  body: string;
  created_at: string;
  teammate: string | null;
}

export interface IdempotencyTable {
  scope_uid: string;
  operation: "create" | "comment" | "close" | "take";
  key: string;
  fingerprint: string;
  event_uid: string;
  created_at: string;
}

export interface ImportTable {
  project_uid: string;
  source: string;
  external_id: string;
  issue_uid: string;
  imported_at: string;
}

/** Short ids of issues that moved on, in the projects they left. */
export interface FormerTable {
  project_uid: string;
  short_id: string;
  issue_uid: string;
}

/** The last lease of each issue that was ever leased. */
export interface LeaseTable {
  id: number;
  issue_uid: string;
  claim_uid: string;
  fence: number;
  holder: string;
  holder_instance_uid: string;
  client_kind: string;
  purpose: string;
  claim_kind: "hard" | "timed";
  acquired_at: string;
  expires_at: string | null;
  released_at: string | null;
  release_reason: string | null;
  revision: number;
  updated_at: string;
}

/** A workflow, or what a job has in common with one. `definition` and `definition_hlc` are JSON. */
export interface CronDefinitionTable {
  id: number;
  uid: string;
  project_uid: string;
  name: string;
  definition: string;
  definition_event_uid: string;
  definition_hlc: string;
  author: string;
  revision: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface CronJobTable extends CronDefinitionTable {
  parent_uid: string | null;
}

/** A run. `summary` is JSON; tokens, time and day are read from the evidence for the report. */
export interface CronRunTable {
  id: number;
  uid: string;
  project_uid: string;
  job_uid: string | null;
  definition_event_uid: string | null;
  workflow_uid: string | null;
  workflow_definition_event_uid: string | null;
  occurrence_key: string | null;
  issue_uid: string | null;
  actor: string;
  teammate: string | null;
  executor_label: string | null;
  status: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
  summary: string;
  revision: number;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  updated_at: string;
  input_tokens: number;
  output_tokens: number;
  duration_ms: number;
  day: string;
}

/** Short ids of purged issues: never given again. */
export interface SpentIdTable {
  project_uid: string;
  short_id: string;
}

/** Local ids of projects that were purged or merged into others: never given again. */
export interface SpentProjectTable {
  id: number;
}

interface PurgeTable {
  id: number;
  uid: string;
  origin_instance_uid: string;
  project_id: number;
  project_uid: string;
  project_name: string;
  comment_count: number;
  link_count: number;
  label_count: number;
  event_count: number;
  events_deleted_min_id: number | null;
  events_deleted_max_id: number | null;
  purge_reset_after_event_id: number;
  actor: string;
  reason: string | null;
  purged_at: string;
  /** What it put into spent_id, as `project_uid#short_id` with spaces between. */
  spent_ids: string;
}

/** One purge of an issue (facts http-api 3.0, Purge records). */
export interface PurgeLogTable extends PurgeTable {
  purged_issue_id: number;
  issue_uid: string;
  short_id: string;
  issue_title: string;
  issue_author: string;
}

export interface ProjectPurgeLogTable extends PurgeTable {
  issue_count: number;
  alias_count: number;
  claim_count: number;
  pending_claim_request_count: number;
}

export interface EventTable {
  id: number;
  uid: string;
  origin_instance_uid: string;
  project_uid: string;
  /** The project in whose feed it is shown: its own, until that is merged into another or purged. */
  feed_uid: string;
  issue_uid: string | null;
  related_issue_uid: string | null;
  type: string;
  actor: string;
  payload: string;
  hlc_physical_ms: number;
  hlc_counter: number;
  content_hash: string;
  created_at: string;
}

/** Issues that an event names in its payload as the other end of a link (`mentions.ts`). */
export interface EventMentionTable {
  issue_uid: string;
  event_id: number;
}

/** PostgreSQL alone: which daemon does a work that one of them does for all (`elections.ts`). */
export interface ElectionTable {
  name: string;
  /** Empty when it was given away. */
  holder: string;
  /** One higher each time that the work changes hands. */
  term: number;
  since: string;
  /** The end of the term unless it is renewed. */
  until: string;
  /** Whose term ran out before this one began; null when the work was given away, or is the same daemon's. */
  taken_from: string | null;
}

export type Selected<T extends keyof Tables> = Selectable<Tables[T]>;
export type Inserted<T extends keyof Tables> = Insertable<Tables[T]>;
