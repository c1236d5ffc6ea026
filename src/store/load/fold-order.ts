import { sql } from "kysely";
import { FoldOrder, type Place } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/** Returns the order in which the events up to `through` are folded. */
export async function foldOrder(connection: Connection, through: number): Promise<FoldOrder> {
  return new FoldOrder(await baselinePlaces.all(connection, { through }));
}

/**
 * Reads only the columns that the order needs: a baseline lists all issues that were ever purged, so its payload may be
 * long.
 */
const baselinePlaces = statement((db, p: { through: number }) =>
  db
    .selectFrom("event")
    .select([
      "id",
      "uid",
      "type",
      "project_uid",
      "origin_instance_uid",
      "hlc_physical_ms",
      "hlc_counter",
      "hub_event_id",
    ])
    .$narrowType<{ type: "project.federation_enabled" }>()
    .where("type", "=", sql.lit("project.federation_enabled"))
    .where("id", "<=", p.through)
    .orderBy("project_uid")
    .orderBy("id"),
).map(
  ({ hub_event_id, ...place }): Place => ({
    ...place,
    ...(hub_event_id === null ? {} : { hub_event_id }),
  }),
);
