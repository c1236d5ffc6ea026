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
  /** Events that were skipped here, and that the hub has all the same. They are no longer marked. */
  readonly unskipped: readonly StoredEvent[];
  readonly duplicates: number;
  /** How many are about purged issues. */
  readonly dropped: number;
  /** Issues that must be folded again, because issues that they name no longer count as purged. */
  readonly issuesToRefold: readonly string[];
}

/** Leaves out the events that the log has and those of purged issues. Notes the ids that known events have on the hub. */
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
 * The hub accepts a batch or refuses it as a whole. But an earlier, smaller batch may have reached it, whose answer was
 * lost, so it can have events of a batch that it refused later and that was then skipped here.
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

/** Returns the events whose id on the hub was not known. An id that is known stays. */
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
