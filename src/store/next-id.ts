import type { TableName } from "../domain/tables/tables.ts";

/**
 * `max(id) + 1` of a table, for the insert itself: ids run alike on both databases and exports need no sequences. Ids
 * of projects that are gone are never given again.
 */
export function nextIdText(table: TableName): string {
  const given =
    table === "project"
      ? "(select id from project union all select id from spent_project) as given"
      : `"${table}"`;
  return `(select coalesce(max(id), 0) + 1 from ${given})`;
}
