import type { StoredEvent } from "../contract/events.ts";
import { touches } from "../domain/evolve/evolve.ts";
import type { Connection } from "./connection.ts";
import type { FoldContext } from "./fold-context.ts";
import { insertion } from "./insertion.ts";
import { loadIssues } from "./load.ts";
import { eventOf } from "./rows.ts";
import { isIn, statement } from "./statement.ts";

/**
 * Records which events name an issue in their payload as the other end of a link. An event has a column for one other
 * issue only, so without these records the link history of an issue would miss events that name several.
 */
export async function noteMentions(
  { connection, loaded }: Pick<FoldContext, "connection" | "loaded">,
  event: StoredEvent,
): Promise<void> {
  const uids = mentionedIn(event);
  if (uids.length === 0) return;
  await loadIssues(connection, loaded, uids);
  // The history of a purged issue cannot be read, so its mentions are not recorded.
  for (const issue_uid of uids.filter((uid) => loaded.issue(uid) !== undefined))
    await mention.run(connection, { issue_uid, event_id: event.id });
}

const mention = insertion("event_mention", { rank: 3 });

function mentionedIn(event: StoredEvent): readonly string[] {
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
    for (let after = 0; ; ) {
      const slice = await ofType.all(connection, { type, after });
      const mentions = slice.flatMap((row) =>
        mentionedIn(eventOf(row)).map((issue_uid) => ({ issue_uid, event_id: row.id })),
      );
      const uids = [...new Set(mentions.map(({ issue_uid }) => issue_uid))];
      const there = new Set((await present.all(connection, { uids })).map(({ uid }) => uid));
      const kept = mentions.filter(({ issue_uid }) => there.has(issue_uid));
      await mention.write(connection, kept);
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE) break;
      after = last.id;
    }
  }
}

const present = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
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
