import { type FoldedTable, type Rows, TABLES } from "../tables/tables.ts";

/**
 * The columns that do not cross, by table: what an event that stays on its daemon changes (issue 32, A4.7). Tables that
 * are not listed have rows that stay at home: aliases, leases, series, idempotency keys.
 */
export const LOCAL_COLUMNS = {
  project: ["name", "created_at", "deleted_at"],
  issue: ["recurrence_uid", "occurrence_key"],
  comment: [],
  label: [],
  link: [],
  import: [],
  cron_jobs: [],
  cron_workflows: [],
  cron_runs: [],
} as const satisfies { readonly [T in FoldedTable]?: readonly (keyof Rows[T])[] };

/**
 * The tables with rows of an issue that hub and copy compare, and the column that names the issue. `import` is none of them:
 * a hub sends what an import noted here only with its next baseline.
 */
export const TABLES_OF_ISSUES = {
  issue: "uid",
  comment: "issue_uid",
  label: "issue_uid",
  link: "from_uid",
} as const;

/** The tables with rows of a project that cross and belong to no issue, by what answers call a row. The key is `uid`. */
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
