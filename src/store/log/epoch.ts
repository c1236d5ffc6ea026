import { sql } from "kysely";
import { systemIds } from "../../base/ids.ts";
import { type Connection, rowsOf } from "../connection.ts";

const epochIds = systemIds();

/**
 * Returns an epoch that no log has had. It is random even if the caller's ids are a counter, because a counter would
 * repeat epochs.
 */
export function newEpoch(): string {
  return epochIds.ulid();
}

/**
 * Gives the log a new epoch, so that all readers start again (`sync.reset_required`). Needed whenever the log does not
 * continue what readers may have read: after a restore, or when committed events are missing.
 */
export async function renewEpoch(connection: Connection): Promise<void> {
  await rowsOf(connection, sql`update log_head set epoch = ${newEpoch()}`);
}

/** Gives a log its first epoch. A database in an older schema, as at the start of an upgrade, has none. */
export async function requireEpoch(connection: Connection): Promise<void> {
  const [head] = await rowsOf<{ epoch?: string }>(connection, sql`select * from log_head`);
  if (head?.epoch === "") await renewEpoch(connection);
}
