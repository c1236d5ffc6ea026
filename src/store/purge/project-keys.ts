import { type RawBuilder, sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../../domain/idempotency.ts";
import { rowKey } from "../../domain/memory.ts";
import type { IdempotencyRow } from "../../domain/state.ts";
import { all, builder, type Connection, rowsOf } from "../connection.ts";
import { eventOf } from "../rows/rows.ts";
import { payloadHas } from "../rows/statement.ts";
import { putRow, removeRow } from "../rows/table-rows.ts";
import type { Selected } from "../schema.ts";

/**
 * Deletes the idempotency keys of the requests that created or closed an issue, if their events are among the doomed
 * ones. The scope of these keys is the project. Returns the deleted rows, for `restoreEarlierKeys`. `doomed` is the
 * condition that selects the events.
 */
export async function deleteProjectKeys(
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

/**
 * If a deleted key had expired and been used again, restores its earlier use from the remaining log. Skipped events
 * have no effect, so they have no keys either.
 */
export async function restoreEarlierKeys(
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
        and skipped_at is null and ${payloadHas(connection.dialect, needle)} order by id`,
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
