import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Instant } from "../../base/clock.ts";
import { placeNew, removeFiles, syncFile, syncFolder, unusedName } from "../../base/files.ts";
import type { Connection } from "../connection.ts";
import { openError } from "../errors.ts";

interface Upgrade {
  readonly path: string;
  /** The schema version after the upgrade. */
  readonly to: number;
  readonly now: Instant;
  /** Opens a SQLite file for reading, without checking its schema. */
  readonly open: (path: string) => Connection;
}

/**
 * Copies a SQLite database beside itself before its tables are upgraded. A partial copy never has the final name. If an
 * upgrade was killed and nothing was written since, its copy is used again. The caller holds the database's lock.
 */
export async function copyBeforeUpgrade(
  connection: Connection,
  { path, to, now, open }: Upgrade,
): Promise<string> {
  const start = `${path}.before-schema-${to}-`;
  removeFiles(`${start}draft-`, /^\d/);
  const state = await stateOf(connection);
  for (const kept of namesLike(start)) if ((await stateIn(open, kept)) === state) return kept;
  const temp = `${start}draft-${process.pid}`;
  try {
    await copySqlite(connection, temp);
    const wanted = start + now.replaceAll(/[-:]/g, "");
    let name = unusedName(wanted);
    while (!placeNew(temp, name)) name = unusedName(wanted);
    syncFolder(dirname(name));
    return name;
  } catch (cause) {
    throw openError(
      "uncopied",
      `${path} was not upgraded: it could not be copied to ${start}* first`,
      "make room for a second one of its size beside it, then start again; nothing was changed",
      cause,
    );
  } finally {
    rmSync(temp, { force: true });
  }
}

/** Copies one state of a database to a new file that only its owner can access. */
export async function copySqlite(connection: Connection, to: string): Promise<void> {
  closeSync(openSync(to, "wx", 0o600));
  await connection.execute("vacuum into ?", [to]);
  syncFile(to);
}

/** Identifies the content: two files with the same schema version and the same log contain the same data. */
async function stateOf(connection: Connection): Promise<string> {
  const { rows } = await connection.execute(
    `select (select user_version from pragma_user_version) as version, h.last_event_id, h.hlc_physical_ms,
       h.hlc_counter, (select count(*) from event) as events,
       (select value from meta where key = 'instance_uid') as instance from log_head h`,
    [],
  );
  return JSON.stringify(rows);
}

async function stateIn(open: Upgrade["open"], path: string): Promise<string | undefined> {
  try {
    const connection = open(path);
    try {
      return await stateOf(connection);
    } finally {
      await connection.close();
    }
  } catch {
    // Not our copy, or damaged: keep the file, but do not use it.
    return undefined;
  }
}

function namesLike(start: string): readonly string[] {
  const folder = dirname(start);
  const prefix = basename(start);
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d{8}T[\d.]+Z$/.test(name.slice(prefix.length)))
    .map((name) => join(folder, name));
}
