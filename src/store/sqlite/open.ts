import { existsSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import type { Instant } from "../../base/clock.ts";
import { errorCode } from "../../base/error-code.ts";
import { faultOf } from "../../base/system-faults.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Connection } from "../connection.ts";
import { openError } from "../errors.ts";
import { copyBeforeUpgrade, copySqlite } from "../upgrade/copy-sqlite.ts";
import { readSchemaVersion, requireKnown } from "../upgrade/versions.ts";
import { SqliteBackend } from "./backend.ts";
import { LOG_PAGES } from "./checkpoints.ts";
import { readConnection, snapshotConnection } from "./connection.ts";
import { prepareFile, requireOneName, requireOwn } from "./file.ts";
import { requireOwnLog } from "./own-log.ts";

/**
 * The usual size of the write-ahead log file, a little more than `LOG_PAGES` pages. The log grows beyond this size only
 * while a reader delays its checkpoint.
 */
const LOG_BYTES = 16 * 1024 * 1024;

/** Opens a new database at a temporary path without syncing: a crash discards it, and the caller syncs the file. */
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
    throw openFailure(error, path);
  }
}

export interface SqliteOptions {
  readonly path: string;
  /** The newest schema version that this code knows. */
  readonly version: number;
  /**
   * True if this process has the file open and has checked it already. The file must then not be opened and closed
   * outside of SQLite: on POSIX that drops SQLite's locks.
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
      requireOwnLog(path);
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
    throw openFailure(error, path);
  }
}

/** Opens a read-only connection in a transaction, without changing the file or its folder. */
export async function openSqliteSnapshot({
  path,
  version,
  served = false,
}: SqliteOptions): Promise<Connection> {
  if (!existsSync(path))
    throw openError("missing", `there is no database at ${path}`, "create a project first");
  try {
    const { default: Database } = await import("better-sqlite3");
    if (!served) {
      if (requireOwn(Database, path, version) === "empty") throw unfinishedError(path);
      requireOwnLog(path);
    }
    return await snapshotConnection(Database, path);
  } catch (error) {
    throw openFailure(error, path);
  }
}

function unfinishedError(path: string): SvcError {
  return openError(
    "missing",
    `the database at ${path} is empty: its first start was ended before it was made`,
    "svc daemon start makes it",
  );
}

export async function keepSqlite(
  connection: Connection,
  upgrade: { readonly path: string; readonly to: number; readonly now: Instant },
): Promise<string> {
  const { default: Database } = await import("better-sqlite3");
  const open = (path: string): Connection => readConnection(Database, path);
  return await copyBeforeUpgrade(connection, { ...upgrade, open });
}

/**
 * Returns the schema version of a file. If the version is older than `version`, also copies a consistent state of the
 * file to `to`.
 */
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

function openFailure(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (code === undefined || error instanceof SvcError) return error;
  const fault = faultOf(code);
  return openError(
    "unreachable",
    `${path} cannot be opened${fault === undefined ? "" : `: ${fault.what}`} (${code})`,
    fault?.hint ?? "check the path, its owner and the space left",
    error,
  );
}

/**
 * Prepares a connection for writes. Checks the schema version again, since a newer version may be only in the
 * write-ahead log. Sets synchronous=FULL at every open: SQLite opens an existing WAL database with NORMAL, which may
 * lose acknowledged commits in a power failure.
 */
function openWriter(
  writer: SqliteDatabase.Database,
  path: string,
  version: number,
): SqliteDatabase.Database {
  requireKnown(path, Number(writer.pragma("user_version", { simple: true })), version);
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  // Overwrites deleted content at once (measured: no cost).
  writer.pragma("secure_delete = ON");
  writer.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  // After a long read has let the log grow, the log file is truncated to its usual size.
  writer.pragma(`journal_size_limit = ${LOG_BYTES}`);
  writer.pragma("cache_size = -8192");
  // Savepoint data above 64 KiB goes to a temporary file. In memory, SQLite would walk all of it after each statement,
  // so the cost of a large write would grow with the square of its rows.
  writer.pragma("temp_store = FILE");
  // SQLite waits for locks synchronously and would block the whole daemon; the writer's queue waits instead.
  writer.pragma("busy_timeout = 0");
  return writer;
}
