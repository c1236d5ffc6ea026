import { slicesById } from "../../base/slices.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Connection } from "../connection.ts";
import { purgedAmong } from "../load/statements.ts";
import { eventStatement } from "../repos/statements.ts";
import { insertion } from "../rows/insertion.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { FoldContext } from "./context.ts";

/**
 * Records which events name an issue in their payload as the other end of a link. The column of an event has room for
 * only one other issue. Without these records, the link history of an issue would lack events that name several issues.
 * A named issue may still be missing: it may arrive later, and the links wait for it until then.
 */
export async function noteMentions(
  { connection, loaded }: Pick<FoldContext, "connection" | "loaded">,
  event: StoredEvent,
): Promise<void> {
  // The history of a purged issue cannot be read, so its mentions are not recorded.
  const uids = mentionedIn(event).filter((uid) => !loaded.isPurged(uid));
  await mention.run(
    connection,
    uids.map((issue_uid) => ({ issue_uid, event_id: event.id })),
  );
}

export const mention = insertion("event_mention", { rank: 3 });

/** The kinds of events that can name several other issues. */
const NAMING = [
  "issue.created",
  "issue.snapshot",
  "issue.links_changed",
] as const satisfies readonly EventKind[];

export function mentionedIn(event: StoredEvent): readonly string[] {
  if (!NAMING.some((type) => type === event.type)) return [];
  const { issues = [] } = touches(event);
  const own = new Set([event.issue_uid, event.related_issue_uid]);
  return [...new Set(issues)].filter((uid) => !own.has(uid));
}

const SLICE = 500;

/** Rebuilds the table of mentions from the log, after a restore. */
export async function rebuildMentions(connection: Connection): Promise<void> {
  await connection.execute("delete from event_mention", []);
  for await (const mentions of mentionsInLog(connection)) {
    const uids = [...new Set(mentions.map(({ issue_uid }) => issue_uid))];
    const purged = new Set(
      (await purgedAmong.all(connection, { uids })).map(({ issue_uid }) => issue_uid),
    );
    await mention.write(
      connection,
      mentions.filter(({ issue_uid }) => !purged.has(issue_uid)),
    );
  }
}

/** Records all mentions of issues that counted as purged, by reading the whole log. */
export async function noteMentionsOf(
  connection: Connection,
  uids: readonly string[],
): Promise<void> {
  const wanted = new Set(uids);
  await forgetMentions.run(connection, { uids });
  for await (const mentions of mentionsInLog(connection))
    await mention.write(
      connection,
      mentions.filter(({ issue_uid }) => wanted.has(issue_uid)),
    );
}

async function* mentionsInLog(connection: Connection) {
  for (const type of NAMING) {
    const read = async (after: number) => await ofType.all(connection, { type, after });
    for await (const slice of slicesById(SLICE, 0, read))
      yield slice.flatMap((event) =>
        mentionedIn(event).map((issue_uid) => ({ issue_uid, event_id: event.id })),
      );
  }
}

const forgetMentions = statement((db, p: { uids: readonly string[] }, dialect) =>
  db.deleteFrom("event_mention").where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

const ofType = eventStatement((db, p: { type: string; after: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("type", "=", p.type)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE),
);
