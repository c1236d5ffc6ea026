import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, systemClock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import { invariant } from "../base/invariant.ts";
import { SvcError } from "../contract/errors.ts";
import type { Backend } from "./backend.ts";
import type { Connection } from "./connection.ts";
import { DatabaseStore } from "./database-store.ts";
import { notMade } from "./errors.ts";
import { createDatabase } from "./first-start.ts";
import { latest, readMeta } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { prepare } from "./prepare.ts";
import { reader } from "./reader.ts";
import { snapshotOf } from "./snapshot.ts";
import type { Reader } from "./types.ts";
import { requireTables } from "./versions.ts";
import type { Snapshot, WholeStore } from "./whole.ts";

export interface StoreOptions {
  /** A path or `sqlite://` is SQLite, `postgres://` and `postgresql://` are PostgreSQL (facts cli-and-config, 7). */
  readonly dsn: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The daemon's zone, for planning dates without one. */
  readonly timezone: string;
  /** PostgreSQL alone: where the tables are. */
  readonly schema?: string;
  /** PostgreSQL alone: whether tables are made and upgraded, or must be there as this svc needs them. */
  readonly mode?: SchemaMode;
  /** SQLite alone, for a daemon: whether its lock still stands. The files are looked after from then on. */
  readonly lockHeld?: () => boolean;
  /** SQLite alone: this process has the database open already (`SqliteOptions.served`). */
  readonly served?: boolean;
}

export type SchemaMode = "bootstrap" | "validate";

const DEFAULT_SCHEMA = "svc";

export async function openStore(options: StoreOptions): Promise<WholeStore> {
  await createMissing(options);
  const backend = await openBackend(options);
  try {
    if (backend.dialect === "postgres" && options.mode === "validate") {
      const { requireCatalog } = await import("./postgres-catalog.ts");
      await requireCatalog(await backend.writer(), options.schema ?? DEFAULT_SCHEMA);
    }
    const { instanceUid } = await prepare(backend, MIGRATIONS, options);
    const { clock, ids, timezone } = options;
    const store = new DatabaseStore({
      backend,
      clock,
      ids,
      timezone,
      instanceUid,
      schemaVersion: latest(MIGRATIONS),
    });
    if (options.lockHeld !== undefined) await backend.guard(options.lockHeld);
    await store.listen();
    return store;
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** A SQLite database that is not there yet; PostgreSQL makes its tables in the one transaction that upgrades them. */
async function createMissing(options: StoreOptions): Promise<void> {
  const location = parseDsn(options.dsn);
  if (location.dialect !== "sqlite" || existsSync(location.path)) return;
  const { openSqliteDraft } = await import("./sqlite.ts");
  try {
    await createDatabase(location.path, async (draft) => {
      const backend = await openSqliteDraft(draft);
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

/** Another store on a database that this process serves already, for a thread of its own: it must be ready for use. */
export async function openStoreAgain(options: Omit<StoreOptions, "mode">): Promise<WholeStore> {
  const { clock, ids, timezone } = options;
  const backend = await openBackend({ ...options, served: true });
  try {
    const connection = await backend.writer();
    await requireTables(connection, latest(MIGRATIONS));
    // A commit shall not keep others waiting for a checkpoint: `settle` makes it afterwards.
    if (backend.dialect === "sqlite") await connection.execute("pragma wal_autocheckpoint = 0", []);
    const instanceUid = await readMeta(connection, "instance_uid");
    invariant(instanceUid !== undefined, "a database in use has an instance");
    const schemaVersion = latest(MIGRATIONS);
    return new DatabaseStore({ backend, clock, ids, timezone, instanceUid, schemaVersion });
  } catch (error) {
    await backend.close();
    throw error;
  }
}

type Place = Pick<StoreOptions, "dsn" | "schema" | "served">;

/** One state of a database, read without a store: nothing is migrated, locked or written. */
export async function openSnapshot(place: Place): Promise<Snapshot> {
  return await snapshotOf(await openState(place));
}

/** One state of a database, read as operations read it. */
export interface Reading {
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openReading(place: Place): Promise<Reading> {
  const connection = await openState(place);
  const given = reader(connection);
  return {
    read: async (work) => await work(given),
    close: async () => await connection.close(),
  };
}

async function openState({ dsn, schema = DEFAULT_SCHEMA, served }: Place): Promise<Connection> {
  const location = parseDsn(dsn);
  if (location.dialect === "sqlite") {
    const { openSqliteSnapshot } = await import("./sqlite.ts");
    const { path } = location;
    return await openSqliteSnapshot({ path, version: latest(MIGRATIONS), ...whether(served) });
  }
  const { openPostgres } = await import("./postgres.ts");
  const backend = await openPostgres({ dsn, schema, clock: systemClock });
  try {
    await requireTables(await backend.writer(), latest(MIGRATIONS));
    return await backend.openSnapshot();
  } finally {
    await backend.close();
  }
}

/** The database as it is found: nothing in it has been looked at yet but whether it is ours. */
export async function openBackend({
  dsn,
  schema = DEFAULT_SCHEMA,
  clock,
  served,
}: StoreOptions): Promise<Backend> {
  const location = parseDsn(dsn);
  if (location.dialect === "sqlite") {
    const { openSqlite } = await import("./sqlite.ts");
    const { path } = location;
    return await openSqlite({ path, version: latest(MIGRATIONS), ...whether(served) });
  }
  invariant(schema !== "public", "the tables have a schema of their own");
  const { openPostgres } = await import("./postgres.ts");
  return await openPostgres({ dsn, schema, clock });
}

function whether(served: boolean | undefined): { readonly served?: boolean } {
  return served === undefined ? {} : { served };
}

type Location =
  | { readonly dialect: "sqlite"; readonly path: string }
  | { readonly dialect: "postgres" };

export function parseDsn(dsn: string): Location {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(dsn)?.[1]?.toLowerCase();
  if (scheme === undefined) return { dialect: "sqlite", path: resolve(dsn) };
  if (scheme === "postgres" || scheme === "postgresql") return { dialect: "postgres" };
  if (scheme === "sqlite") return { dialect: "sqlite", path: sqlitePath(dsn) };
  throw new SvcError(
    "validation",
    { field: "storage.dsn" },
    {
      message: `a storage DSN begins with postgres://, postgresql:// or sqlite://, or is a path; ${scheme}:// is none`,
    },
  );
}

/** `sqlite:///var/svc.db` and `sqlite://svc.db`; escapes as in a `file:` address. */
function sqlitePath(dsn: string): string {
  const path = dsn.slice("sqlite://".length).replace(/\?.*$/s, "");
  return path.startsWith("/") ? fileURLToPath(`file://${path}`) : resolve(decodeURIComponent(path));
}

/** What is shown of a DSN: neither user nor query. */
export function displayDsn(dsn: string): string {
  const location = parseDsn(dsn);
  if (location.dialect === "sqlite") return location.path;
  const url = URL.parse(dsn);
  return url === null ? "postgres://" : `${url.protocol}//${url.host}${url.pathname}`;
}
