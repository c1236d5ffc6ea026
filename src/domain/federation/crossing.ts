import { type FoldedTable, type Rows, TABLES } from "../tables/tables.ts";

/**
 * For each table whose rows hub and copy share: the columns that may differ, because only events that stay on their
 * daemon change them. The rows of all other tables stay on their daemon: aliases, leases, series,
 * idempotency keys.
 */
export const LOCAL_COLUMNS = {
  project: ["name", "created_at", "deleted_at"],
  issue: ["recurrence_uid", "occurrence_key"],
  comment: [],
  label: [],
  link: [],
  import: [],
  external_root: [],
  cron_jobs: [],
  cron_workflows: [],
  cron_runs: [],
} as const satisfies { readonly [T in FoldedTable]?: readonly (keyof Rows[T])[] };

/**
 * The tables with rows of an issue that hub and copy compare, each with the column that names the issue. `import` is
 * not compared: a copy gets the rows that an import on the hub wrote (`issue.imported`) only with the hub's next
 * baseline. `external_root` is not compared, since daemons of older versions do not have it.
 */
export const TABLES_OF_ISSUES = {
  issue: "uid",
  comment: "issue_uid",
  label: "issue_uid",
  link: "from_uid",
} as const;

/**
 * The tables that hub and copy compare and whose rows belong to a project but to no issue. The keys are the names that
 * answers use for such a row. The rows are identified by `uid`.
 */
export const TABLES_OF_PROJECTS = {
  project: "project",
  workflow: "cron_workflows",
  job: "cron_jobs",
  run: "cron_runs",
} as const;

/** The columns of a table that have the same values in the database of each daemon. */
export function crossingColumns(table: keyof typeof LOCAL_COLUMNS): readonly string[] {
  const local: readonly string[] = LOCAL_COLUMNS[table];
  return Object.keys(TABLES[table].columns).filter((column) => !local.includes(column));
}
