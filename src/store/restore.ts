import { sql } from "kysely";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import { TABLES } from "../domain/tables/tables.ts";
import type { RestoreOptions, RestoreRow } from "./admin-store.ts";
import type { Backend } from "./backend.ts";
import { all, builder, type Connection, rowsOf } from "./connection.ts";
import { isDuplicate } from "./errors.ts";
import { restoredValues } from "./fold/lifecycle.ts";
import { existingIssues } from "./load/statements.ts";
import { chainOf, NO_CHAIN } from "./log/chain.ts";
import { renewEpoch } from "./log/epoch.ts";
import { chainBehind } from "./log/gaps.ts";
import { readHead, writeHead } from "./log/head.ts";
import { rebuildProjectClocks } from "./log/project-clocks.ts";
import { restorePurges } from "./purge/rows.ts";
import { buildWaitingLinks } from "./refold/build-waiting-links.ts";
import { lastId } from "./rows/insertion.ts";
import { eventValues, insertOf } from "./rows/rows.ts";
import type { Selected } from "./schema.ts";
import { rebuildTexts } from "./text/write.ts";
import { writeMeta } from "./upgrade/migrate.ts";
import { rebuildDerived } from "./upgrade/rebuild.ts";
import { beginAlone } from "./write-lock/begin.ts";

export async function restore(
  backend: Backend,
  rows: AsyncIterable<RestoreRow>,
  { renumber, instanceUid }: RestoreOptions,
  timezone: string,
): Promise<{ readonly skippedLinks: number }> {
  const connection = await backend.writer();
  await beginAlone(backend, connection);
  try {
    if (!renumber) await beginNewLog(connection);
    const chained = chainedRows(rows, renumber ? await lastChain(connection) : undefined);
    const kind = { renumber, newInstance: instanceUid === undefined };
    const skippedLinks = await insertAll(connection, chained, kind);
    await restorePurges(connection, renumber);
    await rebuildProjectClocks(connection);
    await setHead(connection);
    if (instanceUid !== undefined) await writeMeta(connection, "instance_uid", instanceUid);
    await analyze(connection);
    await rebuildDerived(connection, timezone);
    await buildWaitingLinks(connection, timezone);
    await rebuildTexts(connection);
    await backend.commit(connection, backend.proofFor(0));
    return { skippedLinks };
  } catch (error) {
    if (backend.inTransaction(connection)) await connection.execute("rollback", []);
    throw error;
  }
}

/**
 * Prepares an empty database for the log of a file. The log gets a new epoch, so readers of this database start again.
 * If everything was purged before, records of gaps may be left; they are deleted.
 */
async function beginNewLog(connection: Connection): Promise<void> {
  await requireEmpty(connection);
  await connection.execute("delete from log_gap", []);
  await renewEpoch(connection);
}

async function lastChain(connection: Connection): Promise<string> {
  return (await readHead.one(connection, {}))?.chain ?? NO_CHAIN;
}

/**
 * Gives each event its chain. With `behind`, the events are appended to a log that ends with this chain, and all get
 * new chains. Otherwise events keep the chain in the file, or get one if the file has none.
 */
async function* chainedRows(
  rows: AsyncIterable<RestoreRow>,
  behind: string | undefined,
): AsyncGenerator<RestoreRow> {
  let last = behind ?? NO_CHAIN;
  for await (const row of rows) {
    if (row.table !== "event") {
      yield row;
      continue;
    }
    const { chain, content_hash } = row.row;
    last = behind === undefined && chain !== "" ? chain : chainOf(last, content_hash);
    yield { table: "event", row: { ...row.row, chain: last } };
  }
}

/** Without statistics PostgreSQL treats new tables as nearly empty and would scan one of them for each counted row. */
async function analyze(connection: Connection): Promise<void> {
  if (connection.dialect === "postgres") await connection.execute('analyze "issue", "link"', []);
}

async function requireEmpty(connection: Connection): Promise<void> {
  const { rows } = await connection.execute(
    "select 1 from project union all select 1 from event limit 1",
    [],
  );
  if (rows.length > 0)
    throw new SvcError("conflict", {}, { message: "the database to restore into is not empty" });
}

/** Rows per statement, since a statement for each row would cost PostgreSQL a round trip. */
const BATCH = 100;

/** How rows are inserted. `newInstance` is true if the database does not take the identity of the file. */
interface RestoreKind {
  readonly renumber: boolean;
  readonly newInstance: boolean;
}

/** Inserts all rows. Returns the number of links that were skipped. */
async function insertAll(
  connection: Connection,
  rows: AsyncIterable<RestoreRow>,
  kind: RestoreKind,
): Promise<number> {
  let batch: RestoreRow[] = [];
  let skippedLinks = 0;
  const flush = async (): Promise<void> => {
    const kept = await withBothEnds(connection, batch);
    skippedLinks += batch.length - kept.length;
    await insertOnce(connection, kept, kind);
    batch = [];
  };
  for await (const row of rows) {
    const other = batch[0] !== undefined && batch[0].table !== row.table;
    if (other || batch.length === BATCH) await flush();
    batch.push(row);
  }
  await flush();
  return skippedLinks;
}

async function withBothEnds(
  connection: Connection,
  batch: readonly RestoreRow[],
): Promise<readonly RestoreRow[]> {
  const uids = batch.flatMap(({ table, row }) =>
    table === "link" ? [row.from_uid, row.to_uid] : [],
  );
  if (uids.length === 0) return batch;
  const there = await existingIssues(connection, uids);
  return batch.filter(
    ({ table, row }) => table !== "link" || (there.has(row.from_uid) && there.has(row.to_uid)),
  );
}

/** Inserts a batch. If a key exists already, repeats the batch row by row, so that the error can name the row. */
async function insertOnce(
  connection: Connection,
  batch: readonly RestoreRow[],
  kind: RestoreKind,
): Promise<void> {
  const [row] = batch;
  if (row === undefined) return;
  await connection.execute("savepoint batch", []);
  try {
    await insert(connection, batch, kind);
    await connection.execute("release savepoint batch", []);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (batch.length === 1) throw duplicateError(row, error);
    await connection.execute("rollback to savepoint batch", []);
    for (const one of batch) await insertOnce(connection, [one], kind);
  }
}

function duplicateError({ table, row }: RestoreRow, cause: unknown): SvcError {
  const name = "uid" in row ? `${table} ${row.uid}` : table;
  const message = `${name} is there already; nothing was written`;
  return new SvcError("conflict", { table }, { message, cause });
}

async function insert(
  connection: Connection,
  batch: readonly RestoreRow[],
  { renumber, newInstance }: RestoreKind,
): Promise<void> {
  const [{ table } = { table: undefined }] = batch;
  if (table === undefined) return;
  const last = renumber ? await lastIdOf(connection, table) : 0;
  const rows = batch.map((row, at) => {
    const values = valuesOf(row, newInstance);
    return renumber && "id" in values ? { ...values, id: last + at + 1 } : values;
  });
  const columns = Object.keys(rows[0] ?? {});
  const lists = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return sql`(${sql.join(columns.map((column) => values.get(column)))})`;
  });
  const names = sql.join(columns.map((column) => sql.ref(column)));
  // The same link may already be waiting in the database.
  const repeated = table === "waiting_link" ? sql` on conflict do nothing` : sql``;
  const query = sql`insert into ${sql.table(table)} (${names}) values ${sql.join(lists)}${repeated}`;
  await rowsOf(connection, query);
}

type Table = RestoreRow["table"];

function valuesOf({ table, row }: RestoreRow, newInstance: boolean): object {
  if (table === "event") return eventValues(row);
  const id = "id" in row ? { id: row.id } : {};
  return { ...id, ...insertOf(table, row), ...restoredValues(table, newInstance) };
}

async function lastIdOf(connection: Connection, table: Table): Promise<number> {
  if (table === "event") return await lastEvent(connection);
  return TABLES[table].numbered ? await lastId(connection, table) : 0;
}

/** Returns the highest event id that an event has or that a purge has reserved. */
async function lastEvent(connection: Connection): Promise<number> {
  const head = await readHead.one(connection, {});
  return Math.max(await lastId(connection, "event"), head?.last_event_id ?? 0);
}

/** Sets the end of the log, so that the next event comes after the last id and the latest clock. */
async function setHead(connection: Connection): Promise<void> {
  const db = builder(connection.dialect);
  const events = db.selectFrom("event").limit(1);
  const [clock]: readonly Pick<Selected<"event">, "hlc_physical_ms" | "hlc_counter">[] = await all(
    connection,
    events
      .select(["hlc_physical_ms", "hlc_counter"])
      .where("project_uid", "not in", (of) => of.selectFrom("project_clock").select("project_uid"))
      .orderBy("hlc_physical_ms", "desc")
      .orderBy("hlc_counter", "desc"),
  );
  const [last]: readonly Pick<Selected<"event">, "id" | "chain">[] = await all(
    connection,
    events.select(["id", "chain"]).orderBy("id", "desc"),
  );
  const head = await readHead.one(connection, {});
  invariant(head !== undefined, "log_head has its row");
  await writeHead.run(connection, {
    last_event_id: await lastEvent(connection),
    hlc_physical_ms: clock?.hlc_physical_ms ?? 0,
    hlc_counter: clock?.hlc_counter ?? 0,
    chain: await chainBehind(connection, last),
    epoch: head.epoch,
  });
}
