import { sql } from "kysely";
import { systemIds } from "../../base/ids.ts";
import { type Connection, rowsOf } from "../connection.ts";

const epochs = systemIds();

/** An epoch that no log has had. It is random even where a caller counts its ids, which would repeat epochs. */
export function newEpoch(): string {
  return epochs.ulid();
}

/**
 * Gives the log a new epoch, so that every reader of it starts anew (`sync.reset_required`). Needed whenever the log is
 * not the continuation of what readers may have read: after a restore, or when committed events are gone.
 */
export async function renewEpoch(connection: Connection): Promise<void> {
  await rowsOf(connection, sql`update log_head set epoch = ${newEpoch()}`);
}

/** Gives a log its first epoch. The schema of an older version, which only an upgrade begins with, has no epoch. */
export async function requireEpoch(connection: Connection): Promise<void> {
  const [head] = await rowsOf<{ epoch?: string }>(connection, sql`select * from log_head`);
  if (head?.epoch === "") await renewEpoch(connection);
}
