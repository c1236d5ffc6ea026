import { type Expression, type SqlBool, sql } from "kysely";
import type { Dialect } from "../connection.ts";

/** Conditions of one kind that are written one by one. PostgreSQL makes a join of each, and plans tens for minutes. */
const FEW = 4;

/** All of the labels and none of the excluded ones. `issue` is the column with the issue's uid. */
export function labelFilters(
  issue: string,
  labels: readonly string[],
  excluded: readonly string[],
): Expression<SqlBool> {
  const of = (list: readonly string[]) =>
    sql`from label where label.issue_uid = ${sql.ref(issue)} and label.label in (${sql.join(list)})`;
  const wanted = [...new Set(labels)];
  const conditions =
    wanted.length > FEW
      ? [sql<SqlBool>`(select count(*) ${of(wanted)}) = ${sql.lit(wanted.length)}`]
      : wanted.map((label) => sql<SqlBool>`exists (select 1 ${of([label])})`);
  if (excluded.length > 0) conditions.push(sql<SqlBool>`not exists (select 1 ${of(excluded)})`);
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join<SqlBool>(conditions, sql` and `);
}

/** The end of an `exists` of which there are `count`: with an offset PostgreSQL looks it up instead of joining it. */
export function lookedUp(dialect: Dialect, count: number) {
  return dialect === "postgres" && count > FEW ? sql`offset 0` : sql``;
}
