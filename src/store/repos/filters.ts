import { type Expression, type SqlBool, sql } from "kysely";

/** All of the labels and none of the excluded ones. `issue` is the column with the issue's uid. */
export function labelFilters(
  issue: string,
  labels: readonly string[],
  excluded: readonly string[],
): Expression<SqlBool> {
  const has = (label: string) =>
    sql<SqlBool>`exists (select 1 from label where label.issue_uid = ${sql.ref(issue)} and label.label = ${label})`;
  const conditions = [
    ...labels.map(has),
    ...excluded.map((label) => sql<SqlBool>`not ${has(label)}`),
  ];
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join<SqlBool>(conditions, sql` and `);
}
