import { sql } from "kysely";
import type { StoredEvent } from "../contract/events.ts";
import { touches } from "../domain/evolve/evolve.ts";
import type { Connection } from "./connection.ts";
import { insertion } from "./insertion.ts";
import { loadIssues } from "./load.ts";
import type { Projection } from "./projection.ts";
import { eventOf } from "./rows.ts";
import type { Tables } from "./schema.ts";
import { isIn, statement } from "./statement.ts";

/**
 * Which events name an issue in their payload as the other end of a link. An event has room for one other issue beside
 * its own; what an issue was linked to in the past is also told by events of others that name several.
 */
export async function noteMentions(
  { connection, loaded }: Pick<Projection, "connection" | "loaded">,
  event: StoredEvent,
): Promise<void> {
  const uids = mentionedIn(event);
  if (uids.length === 0) return;
  await loadIssues(connection, loaded, uids);
  // An issue that is gone has nobody who asks.
  for (const issue_uid of uids.filter((uid) => loaded.issue(uid) !== undefined))
    await mention.run(connection, { issue_uid, event_id: event.id });
}

const mention = insertion<Tables["event_mention"]>("event_mention", ["issue_uid", "event_id"], {
  rank: 3,
});

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
      for (const row of slice) {
        const event = eventOf(row);
        const uids = mentionedIn(event);
        if (uids.length > 0) await insertPresent.run(connection, { uids, event_id: event.id });
      }
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE) break;
      after = last.id;
    }
  }
}

const insertPresent = statement((db, p: { uids: readonly string[]; event_id: number }, dialect) =>
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
