import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { SETTING_KINDS } from "../../domain/federation/settings.ts";
import type { Connection } from "../connection.ts";
import { unindexed } from "../rows/statement.ts";
import { eventStatement } from "./statements.ts";

/** The first or the last events that set a value of the issue, sorted by id (`Events`). */
export async function settingsOf(
  connection: Connection,
  uid: string,
  which: "first" | "last",
  limit: number,
): Promise<readonly StoredEvent[]> {
  if (which === "first") return await first.all(connection, { uid, limit });
  return (await last.all(connection, { uid, limit })).toReversed();
}

/** `unindexed` keeps SQLite from reading every event of these kinds. */
const settingsIn = (order: "asc" | "desc") =>
  eventStatement((db, p: { uid: string; limit: number }, dialect) => {
    const sets = sql<boolean>`${unindexed(dialect, "type")} in (${SETTINGS})`;
    return db
      .selectFrom("event")
      .selectAll()
      .where("issue_uid", "=", p.uid)
      .where(sets)
      .unionAll((more) =>
        more
          .selectFrom("event")
          .selectAll()
          .where("related_issue_uid", "=", p.uid)
          .where(sql<boolean>`issue_uid is distinct from ${p.uid}`)
          .where(sets),
      )
      .orderBy("id", order)
      .limit(p.limit);
  });

const SETTINGS = sql.join(SETTING_KINDS.map((kind) => sql.lit(kind)));
const first = settingsIn("asc");
const last = settingsIn("desc");
