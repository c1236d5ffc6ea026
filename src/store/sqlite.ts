import { chmodSync, closeSync, existsSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import type { Budget } from "../base/budget.ts";
import type { Instant } from "../base/clock.ts";
import { makeFolders } from "../base/folders.ts";
import { invariant } from "../base/invariant.ts";
import type { SvcError } from "../contract/errors.ts";
import type { Backend } from "./backend.ts";
import type { Connection, Result, Value } from "./connection.ts";
import { realDatabasePath } from "./database-path.ts";
import { isDamaged, openError, translated } from "./errors.ts";
import { HeldFile } from "./held-file.ts";
import { copySqlite, keepBeforeUpgrade } from "./keep.ts";
import { SqliteErasure } from "./sqlite-erasure.ts";
import type { Election, Term } from "./types.ts";
import { unfinishedStart } from "./unfinished.ts";
import { APPLICATION_ID, foundVersion, refuseNewer } from "./versions.ts";

/** 4,000 pages: what the log holds where no reader keeps it from being written back. */
const LOG_BYTES = 16 * 1024 * 1024;

const HEADER_BYTES = 100;
const PAGES_AT = 28;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const MAGIC = "SQLite format 3\0";

/** Statements are prepared once per connection; a caller with many shapes of one query must not fill the memory. */
const STATEMENTS = 500;

/**
 * Whether the file may be opened: a file that is not ours, or is from a newer version, stays as it is to the byte.
 * "empty" is one without tables, as a first start that was killed leaves it.
 */
function requireOwn(open: typeof SqliteDatabase, path: string, version: number): "empty" | "whole" {
  const header = readHeader(path);
  if (header === undefined || header.length === 0) return "empty";
  const isSqlite =
    header.length === HEADER_BYTES && header.toString("latin1", 0, MAGIC.length) === MAGIC;
  if (isSqlite && header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID) {
    refuseNewer(path, header.readUInt32BE(USER_VERSION_AT), version);
    return "whole";
  }
  const found = isSqlite && isBlank(header) ? unfinishedStart(open, path) : undefined;
  if (found !== undefined) return found;
  throw openError(
    "foreign",
    `${path} is not a database of svc`,
    "name another file in [storage] dsn or SVC_DSN",
  );
}

/** A database of at most one page, which no program has given a version or an id. */
function isBlank(header: Buffer): boolean {
  return (
    header.readUInt32BE(PAGES_AT) <= 1 &&
    header.readUInt32BE(USER_VERSION_AT) === 0 &&
    header.readUInt32BE(APPLICATION_ID_AT) === 0
  );
}

function readHeader(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** Makes the folder and the file for their owner alone; SQLite gives its `-wal` and `-shm` the mode of the file. */
function prepareFile(path: string): void {
  makeFolders(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

/**
 * A database that is being made at a place of its own: what a crash leaves of it is thrown away, so it is only written
 * to the disk when it is whole, by the caller.
 */
export async function openSqliteDraft(path: string): Promise<SqliteBackend> {
  try {
    prepareFile(path);
    const { default: Database } = await import("better-sqlite3");
    const writer = new Database(path);
    writer.pragma("journal_mode = MEMORY");
    writer.pragma("synchronous = OFF");
    writer.pragma("foreign_keys = ON");
    return new SqliteBackend(Database, path, writer);
  } catch (error) {
    throw unopened(error, path);
  }
}

export interface SqliteOptions {
  readonly path: string;
  /** The newest schema this code knows. */
  readonly version: number;
  /**
   * This process has the file open already and has looked at it. It must not be opened and closed beside SQLite once
   * more: on POSIX systems that drops the locks that SQLite holds.
   */
  readonly served?: boolean;
}

export async function openSqlite({
  path,
  version,
  served = false,
}: SqliteOptions): Promise<SqliteBackend> {
  try {
    const { default: Database } = await import("better-sqlite3");
    if (!served) {
      requireOwn(Database, path, version);
      prepareFile(path);
    }
    const writer = new Database(path, { timeout: 5000 });
    try {
      return new SqliteBackend(Database, path, openWriter(writer, path, version));
    } catch (error) {
      writer.close();
      throw error;
    }
  } catch (error) {
    throw unopened(error, path);
  }
}

/** A connection for reading alone, in a transaction of its own; the file and its folder are left as they are. */
export async function openSqliteSnapshot({
  path,
  version,
  served = false,
}: SqliteOptions): Promise<Connection> {
  if (!existsSync(path))
    throw openError("missing", `there is no database at ${path}`, "create a project first");
  try {
    const { default: Database } = await import("better-sqlite3");
    if (!served && requireOwn(Database, path, version) === "empty") throw unfinished(path);
    return await snapshotConnection(Database, path);
  } catch (error) {
    throw unopened(error, path);
  }
}

function unfinished(path: string): SvcError {
  return openError(
    "missing",
    `the database at ${path} is empty: its first start was ended before it was made`,
    "svc daemon start makes it",
  );
}

/** Keeps a copy of a database whose tables are about to be upgraded, and answers where. */
export async function keepSqlite(
  connection: Connection,
  upgrade: { readonly path: string; readonly to: number; readonly now: Instant },
): Promise<string> {
  const { default: Database } = await import("better-sqlite3");
  const open = (path: string): Connection => readConnection(Database, path);
  return await keepBeforeUpgrade(connection, { ...upgrade, open });
}

/** The schema version of a file, and one state of it in a file of its own when that version is not the newest. */
export async function copyOlder({ path, version }: SqliteOptions, to: string): Promise<number> {
  const connection = await openSqliteSnapshot({ path, version });
  const found = await foundVersion(connection, version);
  await connection.execute("commit", []);
  try {
    if (found < version) await copySqlite(connection, to);
    return found;
  } finally {
    await connection.close();
  }
}

async function snapshotConnection(open: typeof SqliteDatabase, path: string): Promise<Connection> {
  const connection = readConnection(open, path);
  await connection.execute("begin", []);
  // The first read chooses the state that the transaction sees.
  await connection.execute("select one from log_head", []);
  return connection;
}

function readConnection(open: typeof SqliteDatabase, path: string): SqliteConnection {
  const reader = new open(path, { readonly: true, timeout: 5000 });
  reader.pragma("cache_size = -32768");
  reader.pragma("temp_store = MEMORY");
  return new SqliteConnection(reader);
}

function unopened(error: unknown, path: string): unknown {
  if (
    !(error instanceof Error) ||
    !("code" in error) ||
    typeof error.code !== "string" ||
    "status" in error
  )
    return error;
  return openError(
    "unreachable",
    `${path} cannot be opened (${error.code})`,
    "check the path, its owner and the space left",
    error,
  );
}

/**
 * SQLite opens an existing WAL database with synchronous=NORMAL, which may lose acknowledged commits when the power
 * fails: FULL is set at every open. The version is looked at once more, since the newest one may still be in the WAL.
 */
function openWriter(
  writer: SqliteDatabase.Database,
  path: string,
  version: number,
): SqliteDatabase.Database {
  refuseNewer(path, Number(writer.pragma("user_version", { simple: true })), version);
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  // What is deleted or replaced is overwritten at once (measured: no cost).
  writer.pragma("secure_delete = ON");
  writer.pragma("wal_autocheckpoint = 4000");
  // A reader that stays long makes the log grow; once it is gone the log is cut to what it needs otherwise.
  writer.pragma(`journal_size_limit = ${LOG_BYTES}`);
  writer.pragma("cache_size = -16384");
  // What a savepoint may have to restore goes to a temporary file once it passes 64 KiB. In memory SQLite walks all of
  // it at the end of each statement, so a large write would cost the square of its rows.
  writer.pragma("temp_store = FILE");
  // SQLite waits synchronously: another program's lock would stop the whole daemon. The writer's queue waits instead.
  writer.pragma("busy_timeout = 0");
  return writer;
}

/** A value that somebody waits for. */
function told<T>(): { readonly passed: Promise<T>; pass(value: T): void } {
  let pass = (_value: T): void => undefined;
  const passed = new Promise<T>((resolve) => {
    pass = resolve;
  });
  return { passed, pass: (value) => pass(value) };
}

/** One process, two connections: one that writes and one that reads committed states. */
export class SqliteBackend implements Backend {
  readonly dialect = "sqlite";
  readonly erasure: SqliteErasure;
  readonly #open: typeof SqliteDatabase;
  readonly #path: string;
  readonly #writer: SqliteConnection;
  #reader: SqliteConnection | undefined;
  #lastRead: Promise<unknown> = Promise.resolve();
  #held: HeldFile | undefined;
  readonly #lost = told<SvcError>();

  constructor(open: typeof SqliteDatabase, path: string, writer: SqliteDatabase.Database) {
    this.#open = open;
    this.#path = path;
    this.#writer = new SqliteConnection(writer);
    this.erasure = new SqliteErasure(path, writer);
  }

  async writer(): Promise<SqliteConnection> {
    return this.#writer;
  }

  async begin(connection: Connection): Promise<void> {
    this.requireHeld();
    await connection.execute("begin immediate", []);
  }

  inTransaction(connection: Connection): boolean {
    invariant(connection === this.#writer, "only the writer holds a transaction");
    return this.#writer.database.inTransaction;
  }

  async announce(): Promise<void> {}

  async guard(lockHeld: () => boolean): Promise<void> {
    const path = realDatabasePath(this.#path);
    const file = openSync(path, "r");
    const { database } = this.#writer;
    // Its lock on the file keeps the writer from ending as usual when it must not (`close`).
    await this.read(async (reader) => await reader.execute("select one from log_head", []));
    this.#held = new HeldFile({ name: this.#path, path, file, database, lockHeld });
  }

  requireHeld(): void {
    const fault = this.#held?.fault();
    if (fault === undefined) return;
    this.#lost.pass(fault);
    throw fault;
  }

  async answers(): Promise<boolean> {
    return this.#held?.fault() === undefined;
  }

  get lost(): Promise<SvcError> {
    return this.#lost.passed;
  }

  /** One after another: a read that began before a commit must not lend its snapshot to one that began after it. */
  async read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    const before = this.#lastRead;
    const reading = (async () => {
      await before;
      return await this.#readNow(work, budget);
    })();
    this.#lastRead = reading.catch(() => undefined);
    return await reading;
  }

  async #readNow<T>(
    work: (connection: Connection) => Promise<T>,
    budget: Budget | undefined,
  ): Promise<T> {
    this.#reader ??= readConnection(this.#open, this.#path);
    const reader = this.#reader;
    await reader.execute("begin", []);
    try {
      return await work(budget === undefined ? reader : reader.within(budget));
    } finally {
      await endRead(reader);
    }
  }

  async openSnapshot(): Promise<Connection> {
    return await snapshotConnection(this.#open, this.#path);
  }

  async listen(): Promise<void> {}

  async serverNow(): Promise<undefined> {
    return undefined;
  }

  /** The daemon has the file for itself (its lock), so every work is its own. */
  async elect(name: string): Promise<Term> {
    return { name, number: 1 };
  }

  elections(): readonly Election[] {
    return [];
  }

  async holdsTerm(): Promise<boolean> {
    return true;
  }

  async settle(): Promise<void> {
    await this.#writer.execute("pragma wal_checkpoint(passive)", []);
  }

  async close(): Promise<void> {
    await this.#lastRead;
    const held = this.#held;
    this.#held = undefined;
    const isElsewhere = held?.isElsewhere() === true;
    if (held === undefined || held.mayEndAsUsual()) {
      await this.#reader?.close();
      // At its end SQLite writes the log into the file, but not into one that was moved.
      if (isElsewhere)
        await this.#writer.execute("pragma wal_checkpoint(truncate)", []).catch(() => undefined);
      await this.#writer.close();
    } else {
      // The last connection to be closed does that, unless it only reads.
      await this.#writer.close();
      await this.#reader?.close();
    }
    if (isElsewhere) held?.clearLog();
    held?.close();
  }
}

/** A read commits nothing. After a damaged page SQLite refuses the commit, and the next read must begin all the same. */
async function endRead(reader: SqliteConnection): Promise<void> {
  try {
    await reader.execute("commit", []);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    await reader.execute("rollback", []).catch(() => undefined);
  }
}

class SqliteConnection implements Connection {
  readonly dialect = "sqlite";
  readonly database: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();

  constructor(database: SqliteDatabase.Database) {
    this.database = database;
  }

  async execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    try {
      const statement = this.#statement(sql);
      const bound = values.some(Array.isArray) ? values.map(flat) : values;
      if (statement.reader) return { rows: statement.all(...bound) as O[], changes: 0 };
      return { rows: [], changes: statement.run(...bound).changes };
    } catch (error) {
      throw translated(error);
    }
  }

  /** The same for readings with a budget: rows come one by one, and none is read that it does not cover. */
  within(budget: Budget): Connection {
    return {
      dialect: this.dialect,
      execute: async <O>(sql: string, values: readonly Value[]) => ({
        rows: this.#rowsWithin<O>(sql, values, budget),
        changes: 0,
      }),
      close: async () => await this.close(),
    };
  }

  #rowsWithin<O>(sql: string, values: readonly Value[], budget: Budget): O[] {
    const rows: O[] = [];
    try {
      for (const row of this.#statement(sql).iterate(...values.map(flat))) {
        budget.take(row as object);
        rows.push(row as O);
      }
    } catch (error) {
      throw translated(error);
    }
    return rows;
  }

  #statement(sql: string): SqliteDatabase.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(stable(sql));
    if (this.#statements.size >= STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async close(): Promise<void> {
    if (this.database.open) this.database.close();
  }
}

/**
 * SQLite plans a statement anew each time a value is bound that its planner looked at (with STAT4, any compared with
 * a column of a join), which costs ten times what running it does. `+?` is the same value and is not looked at. Our
 * SQL has question marks for parameters alone.
 */
function stable(sql: string): string {
  return sql.replaceAll("?", "+?");
}

/** Lists become JSON text for `json_each`. */
function flat(value: Value): string | number | null {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
