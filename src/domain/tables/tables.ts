import {
  external_comment,
  external_field_mapping,
  external_field_state,
  external_root,
  external_root_binding,
} from "./bridges.ts";
import { cron_jobs, cron_runs, cron_workflows } from "./cron.ts";
import {
  federation_binding,
  federation_digest,
  federation_enrollment,
  federation_leave,
  federation_quarantine,
  federation_replica,
  federation_sync_status,
  mirrored_lease,
  pending_lease,
} from "./federation.ts";
import { issue_sync_binding, issue_sync_status } from "./issue-sync.ts";
import { comment, former, issue, label, link, waiting_link } from "./issues.ts";
import { lease } from "./leases.ts";
import {
  cron_event,
  event,
  event_mention,
  import_event,
  log_gap,
  log_head,
  project_clock,
} from "./log.ts";
import { idempotency, imported } from "./marks.ts";
import { alias, project } from "./projects.ts";
import {
  project_purge_log,
  purge_log,
  purge_reset,
  purged_issue,
  spent_id,
  spent_project,
} from "./purges.ts";
import { recurrence } from "./recurrences.ts";
import type { DerivedOf, InsertOf, RowOf, StoredOf, Table } from "./table.ts";
import { api_token, api_token_use } from "./tokens.ts";
import {
  daemon_commit,
  doctor_checkpoint,
  election,
  issue_commit,
  issue_meta,
  label_count,
  meta,
  text_word,
} from "./unfolded.ts";

/**
 * All tables, each before those that refer to it. Exports (docs/contract/command-line.md#61-the-file), restores and
 * comparisons use this order. Folded tables come before the log: a check must read their rows before it reads the
 * events (`archive/verify.ts`).
 */
export const TABLES = {
  project,
  alias,
  issue_sync_binding,
  issue_sync_status,
  recurrence,
  issue,
  comment,
  label,
  link,
  waiting_link,
  import: imported,
  external_field_mapping,
  external_root,
  external_root_binding,
  external_comment,
  external_field_state,
  federation_binding,
  federation_sync_status,
  federation_quarantine,
  federation_enrollment,
  lease,
  pending_lease,
  cron_jobs,
  cron_workflows,
  cron_runs,
  api_token,
  log_gap,
  event,
  purge_log,
  project_purge_log,
  idempotency,
  former,
  event_mention,
  import_event,
  cron_event,
  federation_replica,
  federation_digest,
  mirrored_lease,
  federation_leave,
  issue_meta,
  issue_commit,
  label_count,
  purge_reset,
  purged_issue,
  spent_id,
  spent_project,
  text_word,
  log_head,
  project_clock,
  meta,
  election,
  daemon_commit,
  api_token_use,
  doctor_checkpoint,
} as const;

type All = typeof TABLES;

export type TableName = keyof All;

type Where<Condition> = {
  [T in TableName]: All[T] extends Condition ? T : never;
}[TableName];

/** Tables that are folded from the log; only the store's `append` writes their rows. */
export type FoldedTable = Where<{ readonly folded: true }>;
/** Folded tables whose rows an undo puts back. */
export type UndoneTable = Where<{ readonly folded: true; readonly undo: "facets" }>;
/** Tables that are not folded and whose rows operations may write, through `tx.unfolded`. */
export type UnfoldedTable = Where<{ readonly folded: { readonly writable: true } }>;
/** Tables that have records in an export. */
export type ArchivedTable = Where<{ readonly record: { readonly kind: string } }>;
export type OneKeyTable = Where<{ readonly folded: true; readonly key: readonly [string] }>;
export type ProjectTable = Where<{
  readonly folded: true;
  readonly belongs: { readonly project: string };
}>;

/** Rows in memory, with JSON parsed. */
export type Rows = { readonly [T in TableName]: RowOf<All[T]> };
export type Row<T extends TableName> = Rows[T];
export type Derived<T extends TableName> = DerivedOf<All[T]>;
/** Rows in the database, with JSON as text. */
export type Tables = { readonly [T in TableName]: StoredOf<All[T]> };
/** Rows to insert: the database assigns the local id, and the `beside` columns are filled in later. */
export type Inserts = { readonly [T in TableName]: InsertOf<All[T]> };
export type Key<T extends TableName> = Pick<Row<T>, All[T]["key"][number] & keyof Row<T>>;

const NAMES = Object.keys(TABLES) as readonly TableName[];

export function eachTable(): readonly (readonly [TableName, Table])[] {
  return NAMES.map((name) => [name, TABLES[name]]);
}

export const FOLDED = NAMES.filter(
  (name) => TABLES[name].folded === true,
) as readonly FoldedTable[];
export const ARCHIVED = NAMES.filter(
  (name) => "kind" in TABLES[name].record,
) as readonly ArchivedTable[];
