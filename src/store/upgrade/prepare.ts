import type { Instant } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Backend } from "../backend.ts";
import type { Connection } from "../connection.ts";
import { requireEpoch } from "../log/epoch.ts";
import { beginAlone } from "../write-lock/begin.ts";
import { latest, type Migration, migrate, readMeta, writeMeta } from "./migrate.ts";
import { recomputeAllReadyFrom } from "./rebuild.ts";
import { markCurrent, readSchemaVersion } from "./versions.ts";

interface Prepared {
  readonly instanceUid: string;
  /** The schema version before the upgrade; 0 when there were no tables. */
  readonly found: number;
  readonly copy: string | undefined;
}

interface PrepareOptions {
  readonly ids: Ids;
  readonly timezone: string;
  /** PostgreSQL only: copies older tables before the upgrade. SQLite files are copied before this transaction. */
  readonly copyIn?: { readonly schema: string; readonly now: Instant };
}

export async function prepare(
  backend: Backend,
  migrations: readonly Migration[],
  options: PrepareOptions,
): Promise<Prepared> {
  const connection = await backend.writer();
  await beginAlone(backend, connection);
  try {
    const done = await prepareSchema(connection, migrations, options);
    await connection.execute("commit", []);
    // Later starts read the version from the header of the SQLite file before they open it, so the new version must not
    // stay in the write-ahead log.
    if (done.found < latest(migrations) && connection.dialect === "sqlite") {
      await connection.execute("pragma wal_checkpoint(truncate)", []);
    }
    return done;
  } catch (error) {
    await connection.execute("rollback", []).catch(() => undefined);
    throw error;
  }
}

async function prepareSchema(
  connection: Connection,
  migrations: readonly Migration[],
  { ids, timezone, copyIn }: PrepareOptions,
): Promise<Prepared> {
  const version = latest(migrations);
  const found = await readSchemaVersion(connection, version);
  const copy =
    copyIn === undefined ? undefined : await copyBeforeUpgrade(connection, copyIn, found, version);
  await migrate(connection, migrations, { from: found, timezone });
  if (found < version) {
    await writeMeta(connection, "schema_version", String(version));
    await markCurrent(connection, version);
  }
  const planned = await readMeta(connection, "timezone");
  if (planned !== timezone) {
    // Without a stored zone the database is new and has nothing to recompute.
    if (planned !== undefined) await recomputeAllReadyFrom(connection, timezone);
    await writeMeta(connection, "timezone", timezone);
  }
  const known = await readMeta(connection, "instance_uid");
  const instanceUid = known ?? ids.ulid();
  if (known === undefined) await writeMeta(connection, "instance_uid", instanceUid);
  await requireEpoch(connection);
  return { instanceUid, found, copy };
}

async function copyBeforeUpgrade(
  connection: Connection,
  place: NonNullable<PrepareOptions["copyIn"]>,
  from: number,
  to: number,
): Promise<string | undefined> {
  if (connection.dialect === "sqlite" || from === 0 || from === to) return undefined;
  const { copyPostgresSchema } = await import("./copy-postgres.ts");
  return await copyPostgresSchema(connection, { ...place, from, to });
}
