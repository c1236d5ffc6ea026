import { sql } from "kysely";
import type { Appending } from "../append.ts";
import type { Connection } from "../connection.ts";
import { hashesOf } from "../repos/event-hashes.ts";
import { listAs, sqlStatement } from "../rows/statement.ts";
import type { AdmitOptions, ForeignEvent } from "../types/store.ts";
import { purgedOf } from "./lift-purges.ts";
import { otherContent, ownEventMissing } from "./refuse-event.ts";

interface Sorted {
  /** Those that the log lacks, each once. */
  readonly fresh: readonly ForeignEvent[];
  /** Those that the log has, and whose id on the hub was not known until now. */
  readonly echoes: readonly ForeignEvent[];
  readonly duplicates: number;
  /** How many are about purged issues. */
  readonly dropped: number;
  /** Issues that must be folded again, because issues that they name no longer count as purged. */
  readonly issuesToRefold: readonly string[];
}

/** Leaves out the events that the log has and those of purged issues. Notes the ids that known events have on the hub. */
export async function sortEvents(
  to: Appending,
  events: readonly ForeignEvent[],
  { fromHub, ownUpTo = 0 }: AdmitOptions,
): Promise<Sorted> {
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
  const dropped = unknown.length - fresh.length;
  return { fresh, echoes, duplicates: known.length, dropped, issuesToRefold };
}

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
