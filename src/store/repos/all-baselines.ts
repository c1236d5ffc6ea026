import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import type { Connection } from "../connection.ts";
import { ALL_EVENTS } from "../types/events.ts";
import { eventStatement } from "./statements.ts";

/** The first events of all baselines in the log, of this daemon and of hubs. */
export async function allBaselines(
  connection: Connection,
): Promise<readonly StoredEvent<"project.federation_enabled">[]> {
  const events = await baselineEvents.all(connection, { through: ALL_EVENTS });
  return events.filter((event) => event.type === "project.federation_enabled");
}

const baselineEvents = eventStatement((db, p: { through: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", sql.lit("project.federation_enabled"))
    .where("id", "<=", p.through)
    .orderBy("project_uid")
    .orderBy("id"),
);
