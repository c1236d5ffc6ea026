import { type RawBuilder, sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../../domain/idempotency.ts";
import { rowKey } from "../../domain/memory.ts";
import type { IdempotencyRow } from "../../domain/state.ts";
import { all, builder, type Connection, rowsOf } from "../connection.ts";
import { forgetCronEvents } from "../fold/cron-events.ts";
import { noteGaps } from "../log/gaps.ts";
import { eventOf } from "../rows/rows.ts";
import { payloadHas } from "../rows/statement.ts";
import { putRow, removeRow } from "../rows/table-rows.ts";
import type { Selected } from "../schema.ts";
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
  const deleted = await deleteKeys(connection, doomed);
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

/**
 * Deletes the idempotency keys of the requests that created or closed a purged issue. The scope of these keys is the
 * project.
 */
async function deleteKeys(
  connection: Connection,
  doomed: RawBuilder<unknown>,
): Promise<readonly IdempotencyRow[]> {
  const keyed = sql`${payloadHas(connection.dialect, '"idempotency_key"')}`;
  const events = await rowsOf<Selected<"event">>(
    connection,
    sql`select * from (select * from event ${doomed}) as doomed
      where type in ('issue.created', 'issue.closed') and ${keyed}`,
  );
  const deleted: IdempotencyRow[] = [];
  for (const event of events) {
    const mark = idempotencyOf(eventOf(event));
    if (mark === undefined || !(await isLatestUse(connection, mark))) continue;
    await removeRow(connection, "idempotency", mark);
    deleted.push(mark);
  }
  return deleted;
}

/** Whether the key still belongs to this event. If the key expired and was used again, it belongs to a later event. */
async function isLatestUse(connection: Connection, mark: IdempotencyRow): Promise<boolean> {
  const { scope_uid, operation, key, origin_instance_uid, event_uid } = mark;
  const db = builder(connection.dialect);
  const found = await all(
    connection,
    db
      .selectFrom("idempotency")
      .select("key")
      .where("scope_uid", "=", scope_uid)
      .where("operation", "=", operation)
      .where("key", "=", key)
      .where("origin_instance_uid", "=", origin_instance_uid)
      .where("event_uid", "=", event_uid),
  );
  return found.length > 0;
}

/** If a deleted key had expired and been used again, restores its earlier use from the remaining log. */
async function restoreEarlierKeys(
  connection: Connection,
  deleted: readonly IdempotencyRow[],
): Promise<void> {
  for (const scope of new Set(deleted.map(({ scope_uid }) => scope_uid))) {
    const marks = deleted.filter(({ scope_uid }) => scope_uid === scope);
    const [only] = marks.length === 1 ? marks : [];
    const needle = only === undefined ? '"idempotency_key"' : JSON.stringify(only.key);
    // The events of an existing project are in its own feed, which has an index.
    const [project] = await rowsOf(connection, sql`select 1 from project where uid = ${scope}`);
    const own =
      project === undefined
        ? sql`project_uid = ${scope}`
        : sql`feed_uid = ${scope} and project_uid = ${scope}`;
    const events = await rowsOf<Selected<"event">>(
      connection,
      sql`select * from event where ${own} and type in ('issue.created', 'issue.closed')
        and ${payloadHas(connection.dialect, needle)} order by id`,
    );
    const gone = new Set(marks.map((mark) => rowKey("idempotency", mark)));
    for (const mark of earlierUses(events.map(eventOf), gone))
      await putRow(connection, "idempotency", mark);
  }
}

function* earlierUses(
  events: readonly StoredEvent[],
  gone: ReadonlySet<string>,
): Generator<IdempotencyRow> {
  for (const event of events) {
    const mark = idempotencyOf(event);
    if (mark !== undefined && gone.has(rowKey("idempotency", mark))) yield mark;
  }
}
