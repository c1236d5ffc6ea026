import type { TableName } from "../../domain/tables/tables.ts";

/**
 * SQL for the next id of a table, `max(id) + 1`, so that both databases assign the same ids and exports need no
 * sequences. Ids of purged or merged projects are not assigned again.
 */
export function nextIdText(table: TableName): string {
  const usedIds =
    table === "project"
      ? "(select id from project union all select id from spent_project) as given"
      : `"${table}"`;
  return `(select coalesce(max(id), 0) + 1 from ${usedIds})`;
}
