import { existsSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import type { Instant } from "../base/clock.ts";
import { faultOf } from "../base/system-faults.ts";
import type { SvcError } from "../contract/errors.ts";
import { LOG_PAGES } from "./checkpoints.ts";
import type { Connection } from "./connection.ts";
import { openError } from "./errors.ts";
import { SqliteBackend } from "./sqlite-backend.ts";
import { readConnection, snapshotConnection } from "./sqlite-connection.ts";
import { prepareFile, requireOneName, requireOwn } from "./sqlite-file.ts";
import { copyBeforeUpgrade, copySqlite } from "./upgrade-copy.ts";
import { readSchemaVersion, refuseNewer } from "./versions.ts";

/** `LOG_PAGES`: what the log holds where no reader keeps it from being written back. */
const LOG_BYTES = 16 * 1024 * 1024;

/**
 * A database that is being made at a place of its own: what a crash leaves of it is thrown away, so it is only written
 * to the disk when it is whole, by the caller.
 */
export async function openSqliteTempFile(path: string): Promise<SqliteBackend> {
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
      requireOneName(path);
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
  return await copyBeforeUpgrade(connection, { ...upgrade, open });
}

/** The schema version of a file, and one state of it in a file of its own when that version is not the newest. */
export async function copyOlder({ path, version }: SqliteOptions, to: string): Promise<number> {
  const connection = await openSqliteSnapshot({ path, version });
  const found = await readSchemaVersion(connection, version);
  await connection.execute("commit", []);
  try {
    if (found < version) await copySqlite(connection, to);
    return found;
  } finally {
    await connection.close();
  }
}

function unopened(error: unknown, path: string): unknown {
  if (
    !(error instanceof Error) ||
    !("code" in error) ||
    typeof error.code !== "string" ||
    "status" in error
  )
    return error;
  const fault = faultOf(error.code);
  return openError(
    "unreachable",
    `${path} cannot be opened${fault === undefined ? "" : `: ${fault.what}`} (${error.code})`,
    fault?.cure ?? "check the path, its owner and the space left",
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
  writer.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
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
