import { type RawBuilder, sql } from "kysely";
import { type Connection, rowsOf } from "../connection.ts";
import { forgetCronEvents } from "../fold/cron-events.ts";
import { noteGaps } from "../log/gaps.ts";
import { deleteProjectKeys, restoreEarlierKeys } from "./project-keys.ts";
import { retainedEvents } from "./retained.ts";

/** Builds the condition that a column contains the uid of a purged issue. */
export type ColumnCondition = (column: string) => RawBuilder<boolean>;

export interface DeletedEvents {
  /** Projects whose event readers must start again, since they may have read the deleted events. */
  readonly feeds: readonly string[];
  readonly deleted: {
    readonly event_count: number;
    readonly events_deleted_min_id: number | null;
    readonly events_deleted_max_id: number | null;
  };
}

/**
 * Deletes the events of the issues. With `project`, also deletes the events of that project's feed that are about no
 * issue, except the events that moved issues still need (`retained.ts`).
 */
export async function deleteEvents(
  connection: Connection,
  among: ColumnCondition,
  project: string | undefined,
): Promise<DeletedEvents> {
  if (project !== undefined) await keepNeeded(connection, project);
  const own =
    project === undefined
      ? sql``
      : sql`union all select id from event where feed_uid = ${project} and issue_uid is null`;
  // The query uses a union: with an `or`, PostgreSQL would scan all uids of the project for each event.
  const doomed = sql`where id in (select id from event where ${among("issue_uid")} ${own})`;
  const [found] = await rowsOf<DeletedEvents["deleted"]>(
    connection,
    sql`select count(*) as event_count, min(id) as events_deleted_min_id, max(id) as events_deleted_max_id from event ${doomed}`,
  );
  const feeds = await rowsOf<{ feed_uid: string }>(
    connection,
    sql`select distinct feed_uid from event ${doomed}`,
  );
  // Requests that comment on an issue or take an issue have this issue as the scope of their idempotency key.
  await rowsOf(connection, sql`delete from idempotency where ${among("scope_uid")}`);
  const deleted = await deleteProjectKeys(connection, doomed);
  await rowsOf(
    connection,
    sql`delete from event_mention where event_id in (select id from event ${doomed})`,
  );
  await forgetCronEvents(connection, doomed);
  await noteGaps(connection, doomed);
  await rowsOf(connection, sql`delete from event ${doomed}`);
  await restoreEarlierKeys(connection, deleted);
  if (project !== undefined) await moveToNewFeeds(connection, project);
  return {
    feeds: feeds.map(({ feed_uid }) => feed_uid),
    deleted: found ?? { event_count: 0, events_deleted_min_id: null, events_deleted_max_id: null },
  };
}

async function keepNeeded(connection: Connection, project: string): Promise<void> {
  for (const { id, feed_uid } of await retainedEvents(connection, project))
    await rowsOf(connection, sql`update event set feed_uid = ${feed_uid} where id = ${id}`);
}

async function moveToNewFeeds(connection: Connection, project: string): Promise<void> {
  await rowsOf(
    connection,
    sql`update event set feed_uid = (select project_uid from issue where issue.uid = event.issue_uid)
      where feed_uid = ${project} and issue_uid in (select uid from issue where project_uid <> ${project})`,
  );
}
