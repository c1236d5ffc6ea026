import { sql } from "kysely";
import type { StoredEvent } from "../contract/events.ts";
import { touches } from "../domain/evolve/evolve.ts";
import type { Connection } from "./connection.ts";
import { eventOf } from "./rows.ts";
import { isIn, statement } from "./statement.ts";

/**
 * Which events name an issue in their payload as the other end of a link. An event has room for one other issue beside
 * its own; what an issue was linked to in the past is also told by events of others that name several.
 */
export async function noteMentions(connection: Connection, event: StoredEvent): Promise<void> {
  const uids = mentionedIn(event);
  if (uids.length > 0) await insert.run(connection, { uids, event_id: event.id });
}

function mentionedIn(event: StoredEvent): readonly string[] {
  if (event.type !== "issue.created" && event.type !== "issue.links_changed") return [];
  const { issues = [] } = touches(event);
  const own = new Set([event.issue_uid, event.related_issue_uid]);
  return [...new Set(issues)].filter((uid) => !own.has(uid));
}

const SLICE = 500;

/** Reads the log for them anew: when the table is made, and after a restore. */
export async function rebuildMentions(connection: Connection): Promise<void> {
  await connection.execute("delete from event_mention", []);
  for (const type of ["issue.created", "issue.links_changed"]) {
    for (let after = 0; ; ) {
      const slice = await ofType.all(connection, { type, after });
      for (const row of slice) await noteMentions(connection, eventOf(row));
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE) break;
      after = last.id;
    }
  }
}

/** An issue that is gone has nobody who asks. */
const insert = statement((db, p: { uids: readonly string[]; event_id: number }, dialect) =>
  db
    .insertInto("event_mention")
    .columns(["issue_uid", "event_id"])
    .expression(
      db
        .selectFrom("issue")
        .select(["uid", sql<number>`cast(${p.event_id} as bigint)`.as("event_id")])
        .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
    ),
);

const ofType = statement((db, p: { type: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
