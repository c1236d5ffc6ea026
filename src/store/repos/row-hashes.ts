import { sql } from "kysely";
import { sha256Hex } from "../../base/hash.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import {
  crossingColumns,
  TABLES_OF_ISSUES,
  TABLES_OF_PROJECTS,
} from "../../domain/federation/crossing.ts";
import { SENT_KINDS } from "../../domain/federation/wire.ts";
import type { Table } from "../../domain/tables/table.ts";
import { TABLES } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { isIn, sqlStatement, unindexed } from "../rows/statement.ts";
import type { LaterEvents, RowHash, RowRange } from "../types/federation.ts";
import { eventStatement } from "./statements.ts";

type Crossing = keyof typeof TABLES_OF_ISSUES;
type Values = Readonly<Record<string, unknown>>;

const NAMES = Object.keys(TABLES_OF_ISSUES) as readonly Crossing[];

/** Computes a hash of each row from its columns that hub and copy share. SQLite and PostgreSQL give the same hash. */
export async function rowHashes(
  connection: Connection,
  { row, through, ...range }: RowRange,
): Promise<readonly RowHash[]> {
  // "~" sorts after every uid.
  const between = { ...range, through: through ?? "~" };
  if (row === "issue") return await issueHashes(connection, between);
  const table = TABLES_OF_PROJECTS[row];
  const found = await OTHERS[row].all(connection, between);
  return found.map((one) => ({ uid: String(one["uid"]), hash: sha256Hex(textOf(table, one)) }));
}

async function issueHashes(connection: Connection, between: Between): Promise<readonly RowHash[]> {
  const uids = (await issuesBetween.all(connection, between)).map(({ uid }) => uid);
  if (uids.length === 0) return [];
  const texts = new Map<string, string[]>(uids.map((uid) => [uid, []]));
  for (const table of NAMES)
    for (const row of await ROWS[table].all(connection, { uids }))
      texts.get(String(row[TABLES_OF_ISSUES[table]]))?.push(textOf(table, row));
  return uids.map((uid) => ({ uid, hash: sha256Hex((texts.get(uid) ?? []).join("\n")) }));
}

function textOf(table: Parameters<typeof crossingColumns>[0], row: Values): string {
  return JSON.stringify([table, ...crossingColumns(table).map((column) => row[column] ?? null)]);
}

interface Between {
  readonly project: string;
  readonly after: string;
  readonly through: string;
  readonly limit: number;
}

const issuesBetween = sqlStatement<Between, { readonly uid: string }>(
  (p, dialect) => sql`select uid from issue
    where ${unindexed(dialect, "project_uid")} = ${p.project} and uid > ${p.after} and uid <= ${p.through}
    order by uid limit ${p.limit}`,
);

const othersBetween = (table: (typeof TABLES_OF_PROJECTS)[keyof typeof TABLES_OF_PROJECTS]) => {
  const columns = sql.join(crossingColumns(table).map((column) => sql.ref(column)));
  return sqlStatement<Between, Values>((p, dialect) => {
    const project = table === "project" ? sql`uid` : unindexed(dialect, "project_uid");
    return sql`select ${columns} from ${sql.table(table)}
      where ${project} = ${p.project} and uid > ${p.after} and uid <= ${p.through}
      order by uid limit ${p.limit}`;
  });
};

const OTHERS = {
  project: othersBetween("project"),
  workflow: othersBetween("cron_workflows"),
  job: othersBetween("cron_jobs"),
  run: othersBetween("cron_runs"),
};

/**
 * SQL: the link is between two issues of the same project. Other links get no hash, because whether they are shown
 * depends on the daemon's other data.
 */
const WITHIN = sql`and exists (select 1 from issue as one join issue as other
  on other.project_uid = one.project_uid where one.uid = link.from_uid and other.uid = link.to_uid)`;

const rowsOf = (table: Crossing) => {
  const owner = TABLES_OF_ISSUES[table];
  const { key }: Table = TABLES[table];
  const columns = sql.join(
    [...new Set([owner, ...crossingColumns(table)])].map((one) => sql.ref(one)),
  );
  const order = sql.join([...new Set([owner, ...key])].map((column) => sql.ref(column)));
  return sqlStatement<{ uids: readonly string[] }, Values>(
    (p, dialect) => sql`select ${columns} from ${sql.table(table)}
      where ${isIn(dialect, sql.ref(owner), p.uids)} ${table === "link" ? WITHIN : sql``}
      order by ${order}`,
  );
};

const ROWS = {
  issue: rowsOf("issue"),
  comment: rowsOf("comment"),
  label: rowsOf("label"),
  link: rowsOf("link"),
};

const SENT = SENT_KINDS.map((kind) => sql.lit(kind));

/**
 * Returns the uids of the issues that later events name, and of the other rows that these events change. On a hub,
 * later events are the events after the id; in a copy, they are the unsent events after the id. Undefined if there are
 * `limit` events or more.
 */
export async function namedLater(
  connection: Connection,
  { side, ...range }: LaterEvents,
): Promise<ReadonlySet<string> | undefined> {
  const found = await (side === "hub" ? later : unsent).all(connection, range);
  if (found.length === range.limit) return undefined;
  const events = found.map(({ id }) => id);
  const mentioned = events.length === 0 ? [] : await mentions.all(connection, { events });
  const ofNoIssue = found.filter(({ issue_uid }) => issue_uid === null).map(({ id }) => id);
  const others = ofNoIssue.length === 0 ? [] : await withIds.all(connection, { ids: ofNoIssue });
  return new Set([
    ...found.flatMap(({ issue_uid }) => issue_uid ?? []),
    ...found.flatMap(({ related_issue_uid }) => related_issue_uid ?? []),
    ...mentioned.map(({ issue_uid }) => issue_uid),
    ...others
      .map(touches)
      .flatMap(({ projects = [], rows = {} }) => [...projects, ...Object.values(rows).flat()]),
  ]);
}

interface Later {
  readonly id: number;
  readonly issue_uid: string | null;
  readonly related_issue_uid: string | null;
}

const later = sqlStatement<Omit<LaterEvents, "side">, Later>(
  (p, dialect) => sql`select id, issue_uid, related_issue_uid from event
    where feed_uid = ${p.project} and id > ${p.after} and ${unindexed(dialect, "type")} in (${sql.join(SENT)})
    order by feed_uid, id limit ${p.limit}`,
);

const unsent = sqlStatement<Omit<LaterEvents, "side">, Later>(
  (p, dialect) => sql`select id, issue_uid, related_issue_uid from event
    where feed_uid = ${p.project} and id > ${p.after} and hub_event_id is null and skipped_at is null
      and ${unindexed(dialect, "type")} in (${sql.join(SENT)})
    order by feed_uid, id limit ${p.limit}`,
);

const mentions = sqlStatement<{ events: readonly number[] }, { readonly issue_uid: string }>(
  (p, dialect) => sql`select distinct issue_uid from event_mention
    where ${isIn(dialect, sql.ref("event_id"), p.events, "bigint")}`,
);

const withIds = eventStatement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint")),
);
