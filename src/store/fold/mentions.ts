import { slicesById } from "../../base/slices.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Connection } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { eventStatement } from "../repos/statements.ts";
import { insertion } from "../rows/insertion.ts";

/**
 * Records which events name an issue in their payload as the other end of a link. The column of an event has room for
 * only one other issue. Without these records, the link history of an issue would lack events that name several.
 */
export async function noteMentions(
  connection: Connection,
  event: StoredEvent,
  existing: ReadonlySet<string>,
): Promise<void> {
  // The history of a purged issue cannot be read, so its mentions are not recorded.
  const uids = mentionedIn(event).filter((uid) => existing.has(uid));
  await mention.run(
    connection,
    uids.map((issue_uid) => ({ issue_uid, event_id: event.id })),
  );
}

const mention = insertion("event_mention", { rank: 3 });

export function mentionedIn(event: StoredEvent): readonly string[] {
  if (event.type !== "issue.created" && event.type !== "issue.links_changed") return [];
  const { issues = [] } = touches(event);
  const own = new Set([event.issue_uid, event.related_issue_uid]);
  return [...new Set(issues)].filter((uid) => !own.has(uid));
}

const SLICE = 500;

/** Rebuilds the table of mentions from the log, after the migration that creates it and after a restore. */
export async function rebuildMentions(connection: Connection): Promise<void> {
  await connection.execute("delete from event_mention", []);
  for (const type of ["issue.created", "issue.links_changed"]) {
    const read = async (after: number) => await ofType.all(connection, { type, after });
    for await (const slice of slicesById(SLICE, 0, read)) {
      const mentions = slice.flatMap((event) =>
        mentionedIn(event).map((issue_uid) => ({ issue_uid, event_id: event.id })),
      );
      const there = await existingIssues(connection, [
        ...new Set(mentions.map(({ issue_uid }) => issue_uid)),
      ]);
      await mention.write(
        connection,
        mentions.filter(({ issue_uid }) => there.has(issue_uid)),
      );
    }
  }
}

const ofType = eventStatement((db, p: { type: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
