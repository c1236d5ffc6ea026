import { type Clock, systemClock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Connection } from "../connection.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { listSchemaCopies, type SchemaCopy } from "../upgrade/copy-postgres.ts";
import { latest, readMeta } from "../upgrade/migrate.ts";
import { prepare } from "../upgrade/prepare.ts";
import { OLDEST_SCHEMA } from "../upgrade/versions.ts";
import { daemonLockName, LOCKS } from "../write-lock/locks.ts";
import { CATALOG_FINGERPRINT, fingerprintOf } from "./catalog.ts";
import { openPostgres, shownDsn } from "./open.ts";

interface Place {
  readonly dsn: string;
  readonly schema: string;
}

/**
 * `foreign`: another program's tables are in the schema. `altered`: the version is known, but the tables differ.
 * `unreleased`: a build before the first release made the tables.
 */
type TablesState = "none" | "unreleased" | "older" | "current" | "newer" | "foreign" | "altered";

export interface PostgresState {
  readonly serverVersion: string;
  readonly tables: TablesState;
  readonly schemaVersion: number | undefined;
  readonly requiredVersion: number;
  readonly instanceUid: string | undefined;
  /** Whether any daemon has the database open, on this machine or another. */
  readonly inUse: boolean;
  readonly copies: readonly SchemaCopy[];
}

/** Reads the state of the schema without creating, locking or writing anything. */
export async function postgresState(place: Place): Promise<PostgresState> {
  const backend = await openPostgres({ ...place, clock: systemClock });
  try {
    return await backend.read(async (connection) => await stateOf(connection, place.schema));
  } finally {
    await backend.close();
  }
}

async function stateOf(connection: Connection, schema: string): Promise<PostgresState> {
  const { rows } = await connection.execute<{
    server: string;
    meta: boolean;
    tables: number;
    used: boolean;
  }>(
    `select current_setting('server_version') as server,
       to_regclass(quote_ident($1) || '.meta') is not null as meta,
       (select count(*) from pg_tables where schemaname = $1) as tables,
       exists (
         select 1 from pg_locks
         where locktype = 'advisory' and granted and objsubid = 2
           and database = (select oid from pg_database where datname = current_database())
           and classid::bigint = $2 and objid::bigint = hashtext($3)::bigint & 4294967295
       ) as used`,
    [schema, LOCKS, daemonLockName(schema)],
  );
  const { server = "", meta = false, tables = 0, used = false } = rows[0] ?? {};
  const stored = meta ? await readMeta(connection, "schema_version") : undefined;
  const schemaVersion = stored === undefined ? undefined : Number(stored);
  const requiredVersion = latest(MIGRATIONS);
  return {
    serverVersion: server,
    tables:
      schemaVersion === requiredVersion
        ? await ownTables(connection, schema)
        : tablesState(schemaVersion, requiredVersion, tables),
    schemaVersion,
    requiredVersion,
    instanceUid: stored === undefined ? undefined : await readMeta(connection, "instance_uid"),
    inUse: used,
    copies: await listSchemaCopies(connection, schema),
  };
}

function tablesState(found: number | undefined, required: number, tables: number): TablesState {
  if (found === undefined) return tables === 0 ? "none" : "foreign";
  if (found < OLDEST_SCHEMA) return "unreleased";
  return found < required ? "older" : "newer";
}

async function ownTables(connection: Connection, schema: string): Promise<"current" | "altered"> {
  return (await fingerprintOf(connection, schema)) === CATALOG_FINGERPRINT ? "current" : "altered";
}

export interface MigrateDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The time zone of a new database; an existing one keeps its own. */
  readonly timezone: string;
  readonly copy: boolean;
}

export interface MigrationResult {
  /** 0 when there were no tables. */
  readonly from: number;
  readonly to: number;
  readonly instanceUid: string;
  /** The schema with the copy of the old tables. */
  readonly copy: string | undefined;
}

/**
 * Creates or upgrades the tables. Throws while a daemon has the database open. A daemon that starts during the upgrade
 * waits.
 */
export async function migratePostgres(deps: MigrateDeps, place: Place): Promise<MigrationResult> {
  const backend = await openPostgres({ ...place, clock: deps.clock });
  try {
    const connection = await backend.writer();
    // A session lock: it is released when the session ends.
    const { rows } = await connection.execute<{ won: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as won",
      [LOCKS, daemonLockName(place.schema)],
    );
    if (rows[0]?.won !== true) throw inUse(place);
    const timezone = (await zoneOf(connection, place.schema)) ?? deps.timezone;
    const copyIn = deps.copy ? { copyIn: { schema: place.schema, now: deps.clock.now() } } : {};
    const { ids } = deps;
    const done = await prepare(backend, MIGRATIONS, { ids, timezone, ...copyIn });
    const { found: from, instanceUid, copy } = done;
    return { from, to: latest(MIGRATIONS), instanceUid, copy };
  } finally {
    await backend.close();
  }
}

async function zoneOf(connection: Connection, schema: string): Promise<string | undefined> {
  const { schemaVersion } = await stateOf(connection, schema);
  return schemaVersion === undefined ? undefined : await readMeta(connection, "timezone");
}

function inUse({ dsn, schema }: Place): SvcError {
  return new SvcError(
    "conflict",
    {},
    {
      message: `${shownDsn(dsn)}, schema ${schema}, is in use by a daemon or another command`,
      hint: "stop every daemon on it first, on each machine: svc daemon stop",
    },
  );
}
