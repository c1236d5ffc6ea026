import { sql } from "kysely";
import { SENT_KINDS } from "../../domain/federation/wire.ts";
import type { Connection } from "../connection.ts";
import { sqlStatement, unindexed } from "../rows/statement.ts";
import type { HashedEvent, HashRange } from "../types/federation.ts";

type Range = Omit<HashRange, "side">;

const SENT = SENT_KINDS.map((kind) => sql.lit(kind));

/** Lists the events that a hub and its copies both have, with their ids on the hub, sorted by these ids. */
export async function hubHashes(
  connection: Connection,
  { side, ...range }: HashRange,
): Promise<readonly HashedEvent[]> {
  return await (side === "hub" ? ofHub : ofCopy).all(connection, range);
}

const ofHub = sqlStatement<Range, HashedEvent>(
  (p, dialect) => sql`select id as event_id, uid, content_hash from event
    where feed_uid = ${p.project} and id > ${p.after} and id <= ${p.through}
      and ${unindexed(dialect, "type")} in (${sql.join(SENT)})
    order by feed_uid, id limit ${p.limit}`,
);

const ofCopy = sqlStatement<Range, HashedEvent>(
  (p) => sql`select hub_event_id as event_id, uid, content_hash from event
    where feed_uid = ${p.project} and hub_event_id > ${p.after} and hub_event_id <= ${p.through}
    order by feed_uid, hub_event_id limit ${p.limit}`,
);
