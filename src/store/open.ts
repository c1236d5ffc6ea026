import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, type Instant, type RealTime, systemClock } from "../base/clock.ts";
import { isConninfo } from "../base/conninfo-text.ts";
import { type Ids, systemIds } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import type { AdminStore, Snapshot, UpgradeResult } from "./admin-store.ts";
import type { Backend, CommitProof } from "./backend.ts";
import type { Connection } from "./connection.ts";
import { DatabaseStore } from "./database-store.ts";
import { notMade, openError } from "./errors.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { serverNow } from "./postgres/server-clock.ts";
import { Repositories } from "./reader.ts";
import { snapshotOf } from "./snapshot.ts";
import { realDatabasePath } from "./sqlite/database-path.ts";
import { createDatabase } from "./sqlite/first-start.ts";
import type { SyncFile } from "./sqlite/log-sync.ts";
import type { Reader } from "./types/store.ts";
import { latest, readMeta } from "./upgrade/migrate.ts";
import { prepare } from "./upgrade/prepare.ts";
import { readSchemaVersion, requireTables } from "./upgrade/versions.ts";

export interface StoreOptions {
  /**
   * A path or `sqlite://` means SQLite; `postgres://…`, `postgresql://…` or `host=… dbname=…` means PostgreSQL
   * (docs/contract/command-line.md#7-postgresql).
   */
  readonly dsn: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The daemon's time zone, for planning dates without a zone of their own. */
  readonly timezone: string;
  /** PostgreSQL only: the schema that contains the tables. */
  readonly schema?: string;
  /** PostgreSQL only: "bootstrap" creates and upgrades tables; "validate" requires them to be current. */
  readonly mode?: SchemaMode;
  /** PostgreSQL only: the time by which the server's answers are limited. Only tests replace the real one. */
  readonly realTime?: RealTime;
  /**
   * SQLite only: returns whether the daemon still has its lock. If given, the database files are checked at each write.
   */
  readonly lockHeld?: () => boolean;
  /** SQLite only: syncs the log after a commit, if `lockHeld` is given. Only tests replace it. */
  readonly syncFile?: SyncFile;
  /**
   * SQLite only: stores the end of the log in a file beside the database. If the log does not match this file at the
   * start, the log gets a new epoch. Only for the daemon, because it must be the only writer.
   */
  readonly keepsEnd?: boolean;
  /** SQLite only: true if this process has the database open already (`SqliteOptions.served`). */
  readonly served?: boolean;
  /** SQLite only: true if the database is itself a temporary copy, so that an upgrade makes no copy of it. */
  readonly isCopy?: boolean;
  /** For tests only: wraps the backend, for example to decide what happens to a commit. */
  readonly between?: (backend: Backend) => Backend;
}

export type SchemaMode = "bootstrap" | "validate";

export const DEFAULT_SCHEMA = "svc";

export async function openStore(options: StoreOptions): Promise<AdminStore> {
  await createMissing(options);
  const { between = (backend) => backend } = options;
  const backend = between(await openBackend(options));
  try {
    if (backend.dialect === "postgres" && options.mode === "validate") {
      const { requireCatalog } = await import("./postgres/catalog.ts");
      await requireCatalog(await backend.writer(), options.schema ?? DEFAULT_SCHEMA);
    }
    const file = await copyBeforeUpgrade(backend, options);
    const copyIn = { schema: options.schema ?? DEFAULT_SCHEMA, now: options.clock.now() };
    const { found, instanceUid, copy } = await prepare(backend, MIGRATIONS, { ...options, copyIn });
    const { clock, ids, timezone } = options;
    const store = new DatabaseStore({
      backend,
      clock,
      ids,
      timezone,
      instanceUid,
      schemaVersion: latest(MIGRATIONS),
      writeKind: "ordinary",
      upgraded: upgradeOf(found, file ?? copy),
      endRecord: await endRecordOf(options),
    });
    // Make an empty write before anybody reads. It renews the epoch if the log was replaced by an older one since the
    // last run.
    if (options.keepsEnd === true) await store.write(async () => undefined);
    if (options.lockHeld !== undefined) await backend.guard(options.lockHeld, options.syncFile);
    await store.listen();
    return store;
  } catch (error) {
    await backend.close();
    throw error;
  }
}

async function endRecordOf({ dsn, keepsEnd }: StoreOptions) {
  const location = parseDsn(dsn);
  if (keepsEnd !== true || location.dialect !== "sqlite") return undefined;
  const { EndFile } = await import("./sqlite/end-file.ts");
  return new EndFile(location.path);
}

/** Copies a SQLite file before its tables are upgraded; PostgreSQL copies inside the upgrading transaction. */
async function copyBeforeUpgrade(
  backend: Backend,
  options: StoreOptions,
): Promise<string | undefined> {
  const location = parseDsn(options.dsn);
  if (location.dialect !== "sqlite" || options.isCopy === true) return undefined;
  const connection = await backend.writer();
  const to = latest(MIGRATIONS);
  const found = await readSchemaVersion(connection, to);
  if (found === 0 || found === to) return undefined;
  const { keepSqlite } = await import("./sqlite/open.ts");
  const path = realDatabasePath(location.path);
  return await keepSqlite(connection, { path, to, now: options.clock.now() });
}

function upgradeOf(found: number, copy: string | undefined): UpgradeResult | undefined {
  const to = latest(MIGRATIONS);
  if (found === 0 || found === to) return undefined;
  return { from: found, to, ...(copy === undefined ? {} : { copy }) };
}

async function createMissing(options: StoreOptions): Promise<void> {
  const location = parseDsn(options.dsn);
  if (location.dialect !== "sqlite" || existsSync(location.path)) return;
  const { openSqliteTempFile } = await import("./sqlite/open.ts");
  try {
    await createDatabase(location.path, async (temp) => {
      const backend = await openSqliteTempFile(temp);
      try {
        await prepare(backend, MIGRATIONS, options);
        await (await backend.writer()).execute("pragma journal_mode = wal", []);
      } finally {
        await backend.close();
      }
    });
  } catch (error) {
    throw notMade(error, location.path);
  }
}

/**
 * Opens another store for a worker thread, on a database that this process already serves. The schema must be current.
 * All writes of this store are large.
 */
export async function openStoreAgain(
  options: Omit<StoreOptions, "mode"> & {
    /** Called right before each commit of the store. */
    readonly committing?: (proof: CommitProof) => void;
  },
): Promise<AdminStore> {
  const { clock, ids, timezone, committing, between = (backend) => backend } = options;
  const backend = between(await openBackend({ ...options, served: true }));
  try {
    const connection = await backend.writer();
    await requireTables(connection, latest(MIGRATIONS));
    // Turn off SQLite's automatic checkpoints in this connection, because a checkpoint during a commit would delay
    // other writes. The daemon's own store makes the checkpoints (`Checkpoints`).
    if (backend.dialect === "sqlite") await connection.execute("pragma wal_autocheckpoint = 0", []);
    const instanceUid = await readMeta(connection, "instance_uid");
    invariant(instanceUid !== undefined, "a database in use has an instance");
    const schemaVersion = latest(MIGRATIONS);
    return new DatabaseStore({
      backend,
      clock,
      ids,
      timezone,
      instanceUid,
      schemaVersion,
      committing,
      writeKind: "bulk",
    });
  } catch (error) {
    await backend.close();
    throw error;
  }
}

type Place = Pick<StoreOptions, "dsn" | "schema" | "served">;

/** Opens a snapshot without a store: nothing is migrated, locked or written. */
export async function openSnapshot(place: Place): Promise<Snapshot> {
  return await snapshotOf(await openState(place));
}

/**
 * Runs `work` on a database that an older svc may have made. An older SQLite database is copied to a temporary folder
 * and the copy is upgraded, so the original stays unchanged. `from` is the old schema version, or undefined when no
 * upgrade was needed.
 */
export async function withUpgraded<T>(
  place: Place,
  work: (readable: Place, from: number | undefined) => Promise<T>,
): Promise<T> {
  const location = parseDsn(place.dsn);
  if (location.dialect === "postgres" || !existsSync(location.path))
    return await work(place, undefined);
  const folder = mkdtempSync(join(tmpdir(), "svc-upgraded-"));
  try {
    const dsn = join(folder, "svc.db");
    const version = latest(MIGRATIONS);
    const { copyOlder } = await import("./sqlite/open.ts");
    const found = await copyOlder({ path: location.path, version }, dsn);
    if (found === version) return await work(place, undefined);
    // Keep the database's own zone, so that the copy contains the same values.
    const timezone = (await zoneIn(dsn)) ?? "UTC";
    const options = { dsn, clock: systemClock, ids: systemIds(), timezone, isCopy: true };
    await (await openStore(options)).close();
    return await work({ dsn }, found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function zoneIn(path: string): Promise<string | undefined> {
  const { openSqliteSnapshot } = await import("./sqlite/open.ts");
  const connection = await openSqliteSnapshot({ path, version: latest(MIGRATIONS) });
  try {
    return await readMeta(connection, "timezone");
  } finally {
    await connection.close();
  }
}

/** A consistent view of a database, read through the same `Reader` that operations use. */
export interface Reading {
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  leaseNow(): Promise<Instant>;
  close(): Promise<void>;
}

/** Opens a `Reading`. On SQLite, `clock` decides which leases have expired. */
export async function openReading(place: Place, clock: Clock): Promise<Reading> {
  const connection = await openState(place);
  const repositories = new Repositories(connection);
  return {
    read: async (work) => await work(repositories),
    leaseNow: async () => (await serverNow(connection)) ?? clock.now(),
    close: async () => await connection.close(),
  };
}

async function openState({ dsn, schema = DEFAULT_SCHEMA, served }: Place): Promise<Connection> {
  const location = parseDsn(dsn);
  if (location.dialect === "sqlite") {
    const { openSqliteSnapshot } = await import("./sqlite/open.ts");
    const { path } = location;
    const version = latest(MIGRATIONS);
    const connection = await openSqliteSnapshot({ path, version, ...servedOption(served) });
    return await requireCurrent(connection, "svc daemon start");
  }
  const { openPostgres } = await import("./postgres/open.ts");
  const backend = await openPostgres({ dsn, schema, clock: systemClock });
  try {
    await requireTables(await backend.writer(), latest(MIGRATIONS));
    return await requireCurrent(await backend.openSnapshot(), "svc storage postgres migrate");
  } finally {
    await backend.close();
  }
}

/** Throws when the schema is older than this code. `command` is the command that upgrades the database. */
async function requireCurrent(connection: Connection, command: string): Promise<Connection> {
  const to = latest(MIGRATIONS);
  const found = Number((await readMeta(connection, "schema_version")) ?? to);
  if (found >= to) return connection;
  await connection.close();
  const what = `the database is of storage schema ${found} and not upgraded yet; this svc works on ${to}`;
  throw openError("older", what, `${command} upgrades it`);
}

/** Opens the database. Checks only that it belongs to svc, and reads nothing else. */
export async function openBackend({
  dsn,
  schema = DEFAULT_SCHEMA,
  clock,
  realTime,
  served,
}: StoreOptions): Promise<Backend> {
  const location = parseDsn(dsn);
  if (location.dialect === "sqlite") {
    const { openSqlite } = await import("./sqlite/open.ts");
    const { path } = location;
    return await openSqlite({ path, version: latest(MIGRATIONS), ...servedOption(served) });
  }
  invariant(schema !== "public", "the tables have a schema of their own");
  const { openPostgres } = await import("./postgres/open.ts");
  return await openPostgres({
    dsn,
    schema,
    clock,
    ...(realTime === undefined ? {} : { realTime }),
  });
}

function servedOption(served: boolean | undefined): { readonly served?: boolean } {
  return served === undefined ? {} : { served };
}

type Location =
  | { readonly dialect: "sqlite"; readonly path: string }
  | { readonly dialect: "postgres" };

export function parseDsn(dsn: string): Location {
  if (isConninfo(dsn)) return { dialect: "postgres" };
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(dsn)?.[1]?.toLowerCase();
  if (scheme === undefined) return { dialect: "sqlite", path: resolve(dsn) };
  if (scheme === "sqlite") return { dialect: "sqlite", path: sqlitePath(dsn) };
  throw new SvcError(
    "validation",
    { field: "storage.dsn" },
    {
      message: `a storage DSN begins with postgres://, postgresql:// or sqlite://, or is a path; ${scheme}:// is none`,
    },
  );
}

/**
 * Accepts `sqlite:///var/svc.db` (absolute) and `sqlite://svc.db` (relative), with percent escapes as in `file:` URLs.
 */
function sqlitePath(dsn: string): string {
  const path = dsn.slice("sqlite://".length).replace(/\?.*$/s, "");
  return path.startsWith("/") ? fileURLToPath(`file://${path}`) : resolve(decodeURIComponent(path));
}
