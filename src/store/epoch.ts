import { sql } from "kysely";
import type { Ids } from "../base/ids.ts";
import { type Connection, rowsOf } from "./connection.ts";

/**
 * Gives the log a new epoch, so that every reader of it starts anew (`sync.reset_required`). Needed whenever the log is
 * not the continuation of what readers may have read: after a restore, or when committed events are gone.
 */
export async function renewEpoch(connection: Connection, ids: Ids): Promise<void> {
  await rowsOf(connection, sql`update log_head set epoch = ${ids.ulid()}`);
}

/** Gives a log its first epoch. The schema of an older version, which only an upgrade begins with, has no epoch. */
export async function requireEpoch(connection: Connection, ids: Ids): Promise<void> {
  const [head] = await rowsOf<{ epoch?: string }>(connection, sql`select * from log_head`);
  if (head?.epoch === "") await renewEpoch(connection, ids);
}
