import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import type { LinkType } from "../../domain/state.ts";
import type { Dialect } from "../connection.ts";
import { indexed } from "../rows/meta-key.ts";
import type { Selected } from "../schema.ts";
import type { PageFilter, Relationship } from "../types/issues.ts";

/**
 * The maximum number of `exists` conditions of a kind that PostgreSQL may turn into joins. It needs minutes to plan
 * tens of joins.
 */
const MAX_EXISTS = 4;

/**
 * The condition that an issue has all of `labels` and none of `excluded`. `issue` is the column with the issue's uid.
 */
export function labelFilters(
  issue: string,
  labels: readonly string[],
  excluded: readonly string[],
): Expression<SqlBool> {
  const labelRows = (list: readonly string[]) =>
    sql`from label where label.issue_uid = ${sql.ref(issue)} and label.label in (${sql.join(list)})`;
  const wanted = [...new Set(labels)];
  const conditions =
    wanted.length > MAX_EXISTS
      ? [sql<SqlBool>`(select count(*) ${labelRows(wanted)}) = ${sql.lit(wanted.length)}`]
      : wanted.map((label) => sql<SqlBool>`exists (select 1 ${labelRows([label])})`);
  if (excluded.length > 0)
    conditions.push(sql<SqlBool>`not exists (select 1 ${labelRows(excluded)})`);
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join<SqlBool>(conditions, sql` and `);
}

/**
 * SQL that selects the uids of the issues that satisfy one condition of a filter, using an index for that condition.
 */
export type Driver = RawBuilder<{ uid: string }>;

/**
 * Selects the issues whose uids the driver selects. `cross join` makes SQLite begin with these few issues and not scan
 * all.
 */
export function issuesIn(driver: Driver) {
  return sql<
    Selected<"issue">
  >`(select issue.* from (${driver}) as few cross join issue where issue.uid = few.uid)`;
}

export function childrenOf(parentUid: string): Driver {
  return sql`select from_uid as uid from link where to_uid = ${parentUid} and type = 'parent'`;
}

export function isChild(issue: string, parentUid: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from link where link.from_uid = ${sql.ref(issue)} and link.to_uid = ${parentUid} and link.type = 'parent')`;
}

/** The condition that the issue has one of the relations to an issue that is live and in an active project. */
export function isRelated(issue: string, kinds: readonly Relationship[]): Expression<SqlBool> {
  const uid = sql.ref(issue);
  const linked = (own: "from_uid" | "to_uid", type: LinkType) => {
    const other = own === "from_uid" ? "to_uid" : "from_uid";
    return sql<SqlBool>`exists (select 1 from link as l
      join issue as o on o.uid = ${sql.ref(`l.${other}`)} and o.deleted_at is null
      join project as op on op.uid = o.project_uid and op.deleted_at is null
      where ${sql.ref(`l.${own}`)} = ${uid} and l.type = ${sql.lit(type)})`;
  };
  const conditions = [...new Set(kinds)].flatMap((kind) =>
    RELATIONS[kind].map(([own, type]) => linked(own, type)),
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

const RELATIONS: Readonly<
  Record<Relationship, readonly (readonly ["from_uid" | "to_uid", LinkType])[]>
> = {
  parent: [["from_uid", "parent"]],
  child: [["to_uid", "parent"]],
  blocks: [["from_uid", "blocks"]],
  blocked_by: [["to_uid", "blocks"]],
  related: [
    ["from_uid", "related"],
    ["to_uid", "related"],
  ],
};

/**
 * The condition that issue `i` of project `p` contains the text. `lower` changes only ASCII letters: on SQLite always,
 * on PostgreSQL because of the columns' collation.
 */
export function containsText(
  dialect: Dialect,
  { text, names }: NonNullable<PageFilter["contains"]>,
): Expression<SqlBool> {
  const has = (value: RawBuilder<unknown>) =>
    dialect === "sqlite"
      ? sql`instr(lower(${value}), ${text}) > 0`
      : sql`strpos(lower(${value}), ${text}) > 0`;
  const conditions =
    names === true
      ? [sql`i.title`, sql`(p.name || '#' || i.short_id)`]
      : [sql`i.title`, sql`i.short_id`, sql`i.body`];
  return sql<SqlBool>`(${sql.join(conditions.map(has), sql` or `)})`;
}

/**
 * The uids of issues that have a text in the range under one of the keys. An issue with two such texts is listed twice.
 */
export function datedUids({ keys, from, before }: NonNullable<PageFilter["dated"]>): Driver {
  const low = from === undefined ? sql`` : sql`and value >= ${indexed(from)}`;
  const high = before === undefined ? sql`` : sql`and value < ${indexed(before)}`;
  return sql`select issue_uid as uid from issue_meta where key in (${sql.join(keys.map(indexed))}) ${low} ${high}`;
}

/**
 * SQL to append inside each of `count` conditions of the form `exists`. If there are more than `MAX_EXISTS` conditions,
 * an offset keeps PostgreSQL from turning them into joins.
 */
export function lookedUp(dialect: Dialect, count: number) {
  return dialect === "postgres" && count > MAX_EXISTS ? sql`offset 0` : sql``;
}

/**
 * The condition that nobody leases the issue at `now`. Compares the issue's uid with those of all leased issues, since
 * there are only a few.
 */
export function unleased(issue: string, now: Instant): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(issue)} not in (select l.issue_uid from lease as l where l.released_at is null and (l.expires_at is null or l.expires_at > ${now}))`;
}
