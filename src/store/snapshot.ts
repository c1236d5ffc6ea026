import { sql } from "kysely";
import { invariant } from "../base/invariant.ts";
import { yieldToLoop } from "../base/yield-to-loop.ts";
import type { Table as Description } from "../domain/tables/table.ts";
import { TABLES } from "../domain/tables/tables.ts";
import { SNAPSHOT_TABLES, type Snapshot, type SnapshotRows } from "./admin-store.ts";
import { type Connection, rowsOf } from "./connection.ts";
import { damaged, isDamaged } from "./errors.ts";
import { readHead } from "./log/head.ts";
import { eventOf, parsed } from "./rows/rows.ts";
import type { Selected } from "./schema.ts";
import { readMeta } from "./upgrade/migrate.ts";

/** Rows per read before yielding to the event loop; a larger slice would noticeably delay other requests. */
const SLICE = 100;

type Table = keyof SnapshotRows;

/** A row, or the id of one. */
type Place<T extends Table> = Selected<T> | { readonly id: number };

/** Returns the columns that order a table and identify a row. */
function orderOf(table: Table): readonly string[] {
  const { numbered, key }: Description = TABLES[table];
  return numbered ? ["id"] : key;
}

function snapshotRow<T extends Table>(table: T, row: Selected<T>): SnapshotRows[T] {
  const read = table === "event" ? eventOf(row as Selected<"event">) : parsed(table, row);
  return read as SnapshotRows[T];
}

/**
 * Makes a snapshot that reads through the connection. The connection must be inside a transaction that sees one state
 * of the database.
 */
export async function snapshotOf(connection: Connection): Promise<Snapshot> {
  const [instanceUid, schemaVersion, timezone] = [
    await readMeta(connection, "instance_uid"),
    await readMeta(connection, "schema_version"),
    await readMeta(connection, "timezone"),
  ];
  const head = await readHead.one(connection, {});
  invariant(head !== undefined, "log_head has its row");
  invariant(
    instanceUid !== undefined && timezone !== undefined,
    "an opened database knows who it is",
  );
  return {
    dialect: connection.dialect,
    instanceUid,
    schemaVersion: Number(schemaVersion),
    timezone,
    head,
    connection,
    rows: (table, after) => tableRows(connection, table, after),
    count: async (tables = SNAPSHOT_TABLES) => await countOf(connection, tables),
    integrity: async () => await integrityFaults(connection),
    close: async () => {
      try {
        await connection.execute("commit", []);
      } catch (error) {
        // SQLite reports a damaged page again at the end of the transaction. Ignore it, since nothing was written.
        if (!isDamaged(error)) throw error;
      } finally {
        await connection.close();
      }
    },
  };
}

async function countOf(connection: Connection, tables: Iterable<Table>): Promise<number> {
  const counts = [...tables].map((table) => sql`(select count(*) from ${sql.table(table)})`);
  const query = sql`select ${sql.join(counts, sql` + `)} as rows`;
  const [found] = await rowsOf<{ readonly rows: number }>(connection, query);
  return Number(found?.rows ?? 0);
}

async function* tableRows<T extends Table>(
  connection: Connection,
  table: T,
  begin?: Place<T>,
): AsyncGenerator<SnapshotRows[T]> {
  let after = begin;
  for (;;) {
    const slice = await readPage(connection, table, after);
    for (const row of slice) yield namedRow(table, row);
    after = slice.at(-1);
    if (slice.length < SLICE) return;
    await yieldToLoop();
  }
}

/** Converts a row for a snapshot. If the row is damaged, the error names the row. */
function namedRow<T extends Table>(table: T, row: Selected<T>): SnapshotRows[T] {
  try {
    return snapshotRow(table, row);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    throw damaged(`${placeOf(table, row)} cannot be read: ${error.message}`, error);
  }
}

/** Reads a slice, or throws an error that names the first row in it that cannot be read. */
async function readPage<T extends Table>(
  connection: Connection,
  table: T,
  after: Place<T> | undefined,
): Promise<readonly Selected<T>[]> {
  try {
    return await sliceAfter(connection, table, after);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    let last = after;
    for (let read = 0; read < SLICE; read += 1) {
      const next = await sliceAfter(connection, table, last, 1).catch(() => undefined);
      if (next?.[0] === undefined) break;
      last = next[0];
    }
    const from = last === undefined ? "its first row" : `the row after ${placeOf(table, last)}`;
    throw damaged(`table ${table}: ${from} is on a page that cannot be read`, error);
  }
}

/** The name of a row, for example `event 12 (01H…)`; a row of a table without ids is named by its key. */
function placeOf<T extends Table>(table: T, row: Place<T>): string {
  const columns = new Map<string, string | number | null>(Object.entries(row));
  const key = orderOf(table)
    .map((column) => columns.get(column) ?? "")
    .join(" ");
  const uid = columns.get("uid");
  return uid === undefined || key === uid ? `${table} ${key}` : `${table} ${key} (${uid})`;
}

async function sliceAfter<T extends Table>(
  connection: Connection,
  table: T,
  after: Place<T> | undefined,
  limit: number = SLICE,
): Promise<readonly Selected<T>[]> {
  const columns = orderOf(table);
  const row: Readonly<Record<string, unknown>> | undefined = after;
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const from =
    row === undefined
      ? sql``
      : sql`where (${key}) > (${sql.join(columns.map((column) => row[column]))})`;
  const query = sql`select * from ${sql.table(table)} ${from} order by ${key} limit ${sql.lit(limit)}`;
  return await rowsOf<Selected<T>>(connection, query);
}

async function integrityFaults(connection: Connection): Promise<readonly string[]> {
  if (connection.dialect === "postgres") return [];
  try {
    const { rows } = await connection.execute<{ integrity_check: string }>(
      "pragma integrity_check",
      [],
    );
    const found = rows.flatMap((row) => row.integrity_check.split("\n"));
    const faults = found.filter((line) => line !== "ok" && !line.startsWith("***"));
    return faults.length === 0 ? [] : await withNames(connection, faults);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const places = await unreadablePlaces(connection);
    return places.length === 0 ? [error.message] : places;
  }
}

/** Names the tables and indexes with an unreadable page, by scanning each from end to end. */
async function unreadablePlaces(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.execute<{ type: string; name: string; tbl_name: string }>(
    "select type, name, tbl_name from sqlite_schema where rootpage > 0 and type in ('table', 'index')",
    [],
  );
  const places: string[] = [];
  for (const { type, name, tbl_name } of rows) {
    const by = type === "index" ? `indexed by "${name}"` : "not indexed";
    try {
      await connection.execute(`select sum(1) from "${tbl_name}" ${by}`, []);
    } catch (error) {
      // SQLite refuses to scan a partial index for all rows; that is no damage, and the scan of its table reads all
      // rows.
      if (isDamaged(error)) places.push(`${type} ${name}: a page of it cannot be read`);
    }
  }
  return places;
}

/** Adds table and index names to SQLite's messages, which name only root page numbers. */
async function withNames(
  connection: Connection,
  faults: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await connection.execute<{ type: string; name: string; rootpage: number }>(
    "select type, name, rootpage from sqlite_schema where rootpage > 0",
    [],
  );
  const names = new Map(rows.map(({ type, name, rootpage }) => [rootpage, `${type} ${name}`]));
  return faults.map((fault) => {
    const name = names.get(Number(/^Tree (\d+) /.exec(fault)?.[1]));
    return name === undefined ? fault : `${name}: ${fault}`;
  });
}
