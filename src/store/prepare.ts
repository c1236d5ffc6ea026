import type { Ids } from "../base/ids.ts";
import type { Backend } from "./backend.ts";
import type { Connection } from "./connection.ts";
import { latest, type Migration, migrate, readMeta, writeMeta } from "./migrate.ts";
import { replan } from "./rebuild.ts";
import { finish, foundVersion } from "./versions.ts";

/** Makes an opened database ready: the schema brought up to date, the instance named, planning dates in our zone. */
export async function prepare(
  backend: Backend,
  migrations: readonly Migration[],
  { ids, timezone }: { readonly ids: Ids; readonly timezone: string },
): Promise<{ readonly instanceUid: string }> {
  const connection = await backend.writer();
  await backend.begin(connection);
  try {
    const { instanceUid, migrated } = await prepared(connection, migrations, ids, timezone);
    await connection.execute("commit", []);
    // The header of a SQLite file is read before it is opened, so it must not lag behind in the write-ahead log.
    if (migrated && connection.dialect === "sqlite") {
      await connection.execute("pragma wal_checkpoint(truncate)", []);
    }
    return { instanceUid };
  } catch (error) {
    await connection.execute("rollback", []).catch(() => undefined);
    throw error;
  }
}

async function prepared(
  connection: Connection,
  migrations: readonly Migration[],
  ids: Ids,
  timezone: string,
): Promise<{ readonly instanceUid: string; readonly migrated: boolean }> {
  const version = latest(migrations);
  const found = await foundVersion(connection, version);
  const migrated = found < version;
  await migrate(connection, migrations, found);
  if (migrated) {
    await writeMeta(connection, "schema_version", String(version));
    await finish(connection, version);
  }
  const planned = await readMeta(connection, "timezone");
  if (planned !== timezone) {
    // A database without a zone is a new one.
    if (planned !== undefined) await replan(connection, timezone);
    await writeMeta(connection, "timezone", timezone);
  }
  const known = await readMeta(connection, "instance_uid");
  const instanceUid = known ?? ids.ulid();
  if (known === undefined) await writeMeta(connection, "instance_uid", instanceUid);
  return { instanceUid, migrated };
}
