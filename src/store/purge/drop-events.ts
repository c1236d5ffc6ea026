import { type RawBuilder, sql } from "kysely";
import { type Connection, rowsOf } from "../connection.ts";
import { forgetCronEvents } from "../fold/cron-events.ts";
import { noteGaps } from "../log/gaps.ts";

/**
 * Deletes events, their entries in the indexes of the log, and the idempotency keys of the requests that wrote them.
 * `doomed` is the condition that selects the events. The rows that the events changed stay: the caller folds these rows
 * again.
 */
export async function dropEvents(
  connection: Connection,
  doomed: RawBuilder<unknown>,
): Promise<void> {
  const of = (column: string) => sql`${sql.ref(column)} from event ${doomed}`;
  await deleteKeys(connection, doomed);
  for (const index of ["event_mention", "import_event"])
    await rowsOf(
      connection,
      sql`delete from ${sql.table(index)} where event_id in (select ${of("id")})`,
    );
  await forgetCronEvents(connection, doomed);
  await noteGaps(connection, doomed);
  await rowsOf(connection, sql`delete from event ${doomed}`);
}

/** Deletes the idempotency keys of the requests that wrote these events. `doomed` is the condition that selects them. */
export async function deleteKeys(
  connection: Connection,
  doomed: RawBuilder<unknown>,
): Promise<void> {
  await rowsOf(
    connection,
    sql`delete from idempotency where event_uid in (select uid from event ${doomed})`,
  );
}
