import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { SENT_KINDS } from "../../domain/federation/wire.ts";
import type { HybridClock, Place } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { isIn, sqlStatement, unindexed } from "../rows/statement.ts";
import { eventStatement } from "./statements.ts";

/** The place of an event, and the uid of an issue, job, workflow or run that the event is about or names. */
interface PlaceAbout {
  readonly about: string;
  readonly place: Place;
}

/**
 * Returns the places of all events with ids below `before` that are about these issues or name them, or that change
 * these jobs, workflows and runs.
 */
export async function latePlaces(
  connection: Connection,
  uids: readonly string[],
  before: number,
): Promise<readonly PlaceAbout[]> {
  const rows = await placesAbout.all(connection, { uids, before });
  return rows.map(({ about, hub_event_id, ...place }) => ({
    about,
    place: hub_event_id === null ? place : { ...place, hub_event_id },
  }));
}

type PlaceRow = Omit<Place, "hub_event_id"> & {
  readonly about: string;
  readonly hub_event_id: number | null;
};

const COLUMNS = sql`e.id, e.uid, e.type, e.project_uid, e.origin_instance_uid, e.hlc_physical_ms, e.hlc_counter, e.hub_event_id`;

const placesAbout = sqlStatement<
  { readonly uids: readonly string[]; readonly before: number },
  PlaceRow
>(
  (p, dialect) => sql`
    select e.issue_uid as about, ${COLUMNS} from event as e
      where ${isIn(dialect, sql.ref("e.issue_uid"), p.uids)} and e.id < ${p.before}
    union all
    select e.related_issue_uid as about, ${COLUMNS} from event as e
      where ${isIn(dialect, sql.ref("e.related_issue_uid"), p.uids)} and e.id < ${p.before}
    union all
    select m.issue_uid as about, ${COLUMNS} from event_mention as m join event as e on e.id = m.event_id
      where ${isIn(dialect, sql.ref("m.issue_uid"), p.uids)} and e.id < ${p.before}
    union all
    select c.row_uid as about, ${COLUMNS} from cron_event as c join event as e on e.id = c.event_id
      where ${isIn(dialect, sql.ref("c.row_uid"), p.uids)} and e.id < ${p.before}`,
);

/**
 * A baseline that arrives: its id on the hub, its clock, and the id here of the first event of the page in which it
 * arrives.
 */
interface Arrival extends HybridClock {
  readonly project_uid: string;
  readonly hub_event_id: number;
  readonly before: number;
}

/**
 * Returns the events of the project that a newly arrived baseline moves behind itself: events of kinds that are sent,
 * which the hub does not have yet or got after the baseline. A snapshot with a later clock than the baseline keeps its
 * place and its meaning, because its links are links of its own issue. A project that was handed over has one such
 * snapshot for each issue.
 */
export async function eventsBehind(
  connection: Connection,
  baseline: Arrival,
): Promise<readonly StoredEvent[]> {
  return await behind.all(connection, baseline);
}

const behind = eventStatement((db, p: Arrival, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("feed_uid", "=", p.project_uid)
    .where("id", "<", p.before)
    .where(sql<boolean>`(hub_event_id is null or hub_event_id > ${p.hub_event_id})`)
    .where(sql<boolean>`${unindexed(dialect, "type")} in (${sql.join(SENT)})`)
    .where(
      sql<boolean>`(${unindexed(dialect, "type")} <> 'issue.snapshot' or hlc_physical_ms < ${p.hlc_physical_ms}
        or (hlc_physical_ms = ${p.hlc_physical_ms} and hlc_counter <= ${p.hlc_counter}))`,
    )
    .orderBy("id"),
);

const SENT = SENT_KINDS.map((kind) => sql.lit(kind));
