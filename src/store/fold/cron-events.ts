import { type RawBuilder, sql } from "kysely";
import { slicesById } from "../../base/slices.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Inserts } from "../../domain/tables/tables.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { eventStatement } from "../repos/statements.ts";
import { insertion } from "../rows/insertion.ts";
import { unindexed } from "../rows/statement.ts";

/** The kinds of events that change a job, a workflow or a run, by the table that contains the row. */
export const CRON_KINDS = {
  cron_jobs: [
    "cron.job.created",
    "cron.job.updated",
    "cron.job.deleted",
    "cron.job.restored",
    "cron.job.snapshot",
  ],
  cron_workflows: [
    "cron.workflow.created",
    "cron.workflow.updated",
    "cron.workflow.deleted",
    "cron.workflow.restored",
    "cron.workflow.snapshot",
  ],
  cron_runs: ["cron.run.observed", "cron.run.snapshot"],
} as const satisfies Readonly<Record<string, readonly EventKind[]>>;

const KINDS = Object.values(CRON_KINDS).flat();
const IS_CRON: ReadonlySet<EventKind> = new Set(KINDS);

/** Whether the event changes a job, a workflow or a run. */
export function isCronEvent({ type }: Pick<StoredEvent, "type">): boolean {
  return IS_CRON.has(type);
}

/** Records which job, workflow or run the event changes, so that the events of one row can be read alone. */
export async function noteCronEvent(
  connection: Connection,
  event: Pick<StoredEvent, "id" | "type" | "payload">,
): Promise<void> {
  await cronEvent.run(connection, notesOf(event));
}

export const cronEvent = insertion("cron_event", { rank: 3 });

function notesOf({
  id,
  type,
  payload,
}: Pick<StoredEvent, "id" | "type" | "payload">): readonly Inserts["cron_event"][] {
  return IS_CRON.has(type) ? [{ row_uid: (payload as { uid: string }).uid, event_id: id }] : [];
}

/**
 * Deletes the records of events that are about to be deleted. `doomed` is the condition that selects these events, and
 * begins with `where`.
 */
export async function forgetCronEvents(
  connection: Connection,
  doomed: RawBuilder<unknown>,
): Promise<void> {
  const { dialect } = connection;
  const uid = dialect === "sqlite" ? sql`payload ->> 'uid'` : sql`payload::json ->> 'uid'`;
  const isCron = sql`${unindexed(dialect, "type")} in (${sql.join(KINDS.map((kind) => sql.lit(kind)))})`;
  await rowsOf(
    connection,
    sql`delete from cron_event where (row_uid, event_id) in (select ${uid}, id from event ${doomed} and ${isCron})`,
  );
}

const SLICE = 500;

/** Rebuilds the table `cron_event` from the log, after a restore. */
export async function rebuildCronEvents(connection: Connection): Promise<void> {
  await connection.execute("delete from cron_event", []);
  for (const type of KINDS) {
    const read = async (after: number) => await ofType.all(connection, { type, after });
    for await (const slice of slicesById(SLICE, 0, read))
      await cronEvent.write(connection, slice.flatMap(notesOf));
  }
}

const ofType = eventStatement((db, p: { type: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
