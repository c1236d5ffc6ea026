import { sql } from "kysely";
import { invariant } from "../base/invariant.ts";
import { all, builder, type Connection } from "./connection.ts";
import { readMeta } from "./migrate.ts";
import {
  cronJobOf,
  cronWorkflowOf,
  derivedOf,
  eventOf,
  issueRow,
  projectOf,
  recurrenceOf,
  runOf,
} from "./rows.ts";
import type { Selected, Tables } from "./schema.ts";
import type { Snapshot, SnapshotRows } from "./whole.ts";

/** Rows that are read before other work gets its turn: a larger slice would be felt by those who wait for an answer. */
const SLICE = 100;

type Table = keyof SnapshotRows;

/** The columns a table is read by; they name a row, and a slice goes on after the last one's. */
const ORDER = {
  project: ["id"],
  alias: ["id"],
  recurrence: ["id"],
  issue: ["id"],
  label: ["issue_uid", "label"],
  link: ["id"],
  comment: ["id"],
  idempotency: ["scope_uid", "operation", "key"],
  import: ["project_uid", "source", "external_id"],
  former: ["project_uid", "short_id"],
  lease: ["id"],
  cron_jobs: ["id"],
  cron_workflows: ["id"],
  cron_runs: ["id"],
  event: ["id"],
  purge_log: ["id"],
  project_purge_log: ["id"],
} as const satisfies { [T in Table]: readonly (keyof Tables[T])[] };

const OUT: { readonly [T in Table]: (row: Selected<T>) => SnapshotRows[T] } = {
  project: projectOf,
  alias: (row) => row,
  recurrence: recurrenceOf,
  issue: (row) => ({ id: row.id, ...issueRow(row), ...derivedOf(row) }),
  label: (row) => row,
  link: (row) => row,
  comment: (row) => row,
  idempotency: (row) => row,
  import: (row) => row,
  former: (row) => row,
  lease: (row) => row,
  cron_jobs: cronJobOf,
  cron_workflows: cronWorkflowOf,
  cron_runs: runOf,
  event: eventOf,
  purge_log: (row) => row,
  project_purge_log: (row) => row,
};

/** The connection is inside a transaction that sees one state of the database. */
export async function snapshotOf(connection: Connection): Promise<Snapshot> {
  const [instanceUid, schemaVersion, timezone] = [
    await readMeta(connection, "instance_uid"),
    await readMeta(connection, "schema_version"),
    await readMeta(connection, "timezone"),
  ];
  invariant(
    instanceUid !== undefined && timezone !== undefined,
    "an opened database knows who it is",
  );
  return {
    dialect: connection.dialect,
    instanceUid,
    schemaVersion: Number(schemaVersion),
    timezone,
    rows: (table) => rowsOf(connection, table),
    count: async () => await countOf(connection),
    integrity: async () => await integrity(connection),
    close: async () => {
      await connection.execute("commit", []);
      await connection.close();
    },
  };
}

async function countOf(connection: Connection): Promise<number> {
  const counts = Object.keys(ORDER).map((table) => sql`(select count(*) from ${sql.table(table)})`);
  const query = sql<{ readonly rows: number }>`select ${sql.join(counts, sql` + `)} as rows`;
  const db = builder(connection.dialect);
  const [found] = await all(connection, { compile: () => query.compile(db) });
  return Number(found?.rows ?? 0);
}

async function* rowsOf<T extends Table>(
  connection: Connection,
  table: T,
): AsyncGenerator<SnapshotRows[T]> {
  const out = OUT[table];
  let after: Selected<T> | undefined;
  for (;;) {
    const slice = await sliceAfter(connection, table, after);
    for (const row of slice) yield out(row);
    after = slice.at(-1);
    if (slice.length < SLICE) return;
    await new Promise<void>((next) => setImmediate(next));
  }
}

async function sliceAfter<T extends Table>(
  connection: Connection,
  table: T,
  after: Selected<T> | undefined,
): Promise<readonly Selected<T>[]> {
  const columns: readonly string[] = ORDER[table];
  const row: Readonly<Record<string, unknown>> | undefined = after;
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const from =
    row === undefined
      ? sql``
      : sql`where (${key}) > (${sql.join(columns.map((column) => row[column]))})`;
  const query = sql<
    Selected<T>
  >`select * from ${sql.table(table)} ${from} order by ${key} limit ${sql.lit(SLICE)}`;
  const db = builder(connection.dialect);
  return await all(connection, { compile: () => query.compile(db) });
}

async function integrity(connection: Connection): Promise<readonly string[]> {
  if (connection.dialect === "postgres") return [];
  const { rows } = await connection.execute<{ integrity_check: string }>(
    "pragma integrity_check",
    [],
  );
  return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
}
