import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import type { Appending } from "../append.ts";
import type { Connection } from "../connection.ts";
import { hashesOf } from "../repos/event-hashes.ts";
import { eventStatement } from "../repos/statements.ts";
import { isIn, listAs, sqlStatement, statement } from "../rows/statement.ts";
import type { AdmitOptions, ForeignEvent } from "../types/store.ts";
import { purgedOf } from "./lift-purges.ts";
import { otherContent, ownEventMissing } from "./refuse-event.ts";

interface ClassifiedEvents {
  /** The events that the log lacks, each once. */
  readonly fresh: readonly ForeignEvent[];
  /** The events that the log has and whose id on the hub was not known until now. */
  readonly echoes: readonly ForeignEvent[];
  /** Events that were skipped here but that the hub has. Their marks are removed, so they count again. */
  readonly unskipped: readonly StoredEvent[];
  readonly duplicates: number;
  /** The number of events that are about purged issues. */
  readonly dropped: number;
  /** Issues that must be folded again, because issues that they name no longer count as purged. */
  readonly issuesToRefold: readonly string[];
}

/**
 * Separates new events from events that the log has and from events of purged issues. If the hub sent the events,
 * stores the hub's ids of those that the log has. Throws for a uid with two contents, and for an own event that is
 * missing here.
 */
export async function classifyEvents(
  to: Appending,
  events: readonly ForeignEvent[],
  { fromHub, ownUpTo = 0 }: AdmitOptions,
): Promise<ClassifiedEvents> {
  const { connection, instanceUid } = to;
  const hashes = await hashesOf(connection, [...new Set(events.map(({ uid }) => uid))]);
  const unknown: ForeignEvent[] = [];
  const known: ForeignEvent[] = [];
  for (const event of events) {
    const hash = hashes.get(event.uid);
    if (hash === undefined) {
      hashes.set(event.uid, event.content_hash.toLowerCase());
      unknown.push(event);
    } else if (hash !== event.content_hash.toLowerCase()) throw otherContent(event);
    else known.push(event);
  }
  const { gone, issuesToRefold } = await purgedOf(to, unknown);
  const fresh = unknown.filter(({ issue_uid = "" }) => !gone.has(issue_uid));
  for (const event of fresh) {
    const { origin_instance_uid, hub_event_id = Number.POSITIVE_INFINITY } = event;
    if (origin_instance_uid === instanceUid && !(fromHub && hub_event_id <= ownUpTo))
      throw ownEventMissing(event, event.hub_event_id);
  }
  const echoes = fromHub ? await noteHubIds(connection, known) : [];
  const unskipped = fromHub ? await unskip(connection, known) : [];
  const dropped = unknown.length - fresh.length;
  return { fresh, echoes, unskipped, duplicates: known.length, dropped, issuesToRefold };
}

/**
 * Removes the marks of skipped events that the hub has, and returns these events. The hub accepts or refuses a batch as
 * a whole. But it may have accepted an earlier, smaller batch whose answer was lost. So it can have events of a later
 * batch that it refused and that was then skipped here.
 */
async function unskip(
  connection: Connection,
  known: readonly ForeignEvent[],
): Promise<readonly StoredEvent[]> {
  const uids = known.map(({ uid }) => uid);
  if (uids.length === 0) return [];
  const marked = await skipped.all(connection, { uids });
  if (marked.length === 0) return [];
  await unmark.run(connection, { uids });
  return marked.map(({ skipped_at: _mark, ...event }) => event as StoredEvent);
}

const skipped = eventStatement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .where("skipped_at", "is not", null)
    .orderBy("hub_event_id"),
);

const unmark = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .updateTable("event")
    .set({ skipped_at: null })
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

/**
 * Stores the ids that these events have on the hub, and returns the events that had no such id before. A stored id
 * stays.
 */
async function noteHubIds(
  connection: Connection,
  events: readonly ForeignEvent[],
): Promise<readonly ForeignEvent[]> {
  const ids = events.flatMap(({ uid, hub_event_id }) =>
    hub_event_id === undefined ? [] : JSON.stringify([uid, hub_event_id]),
  );
  if (ids.length === 0) return [];
  const noted = new Set((await noteHubId.all(connection, { ids })).map(({ uid }) => uid));
  return events.filter(({ uid }) => noted.has(uid));
}

const noteHubId = sqlStatement<{ readonly ids: readonly string[] }, { readonly uid: string }>(
  (p, dialect) => {
    const pair = dialect === "sqlite" ? sql`noted.value` : sql`noted.value::json`;
    const id = dialect === "sqlite" ? sql`${pair} ->> 1` : sql`(${pair} ->> 1)::bigint`;
    return sql`update event set hub_event_id = ${id} from ${listAs(dialect, p.ids, "noted")}
      where event.uid = ${pair} ->> 0 and event.hub_event_id is null returning event.uid`;
  },
);
