import { type Kysely, sql } from "kysely";
import { invariant } from "../../base/invariant.ts";
import { isHidden } from "../../contract/event-kinds.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Connection, Dialect } from "../connection.ts";
import { foldOrder } from "../load/fold-order.ts";
import { readHead } from "../log/head.ts";
import { eventOf } from "../rows/rows.ts";
import { isIn, optionalStatement, rowsWith, statement, unindexed } from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import { ALL_EVENTS, type EventPage, type Events } from "../types/events.ts";
import { activityDuring } from "./activity.ts";
import { matchingEvents, PAYLOAD_SIZE, type PageRange, pageWithin, WINDOW } from "./event-pages.ts";
import { settingsOf } from "./issue-settings.ts";
import { eventStatement, NO_SNAPSHOT, NOT_SKIPPED, VISIBLE } from "./statements.ts";

export function events(connection: Connection): Events {
  return {
    after: async (after, limit, project_uid) =>
      await feed.all(connection, { after, limit, project_uid }),
    matching: async (filter, after, maxEvents, maxBytes) => {
      const head = (await last.one(connection, {}))?.last_event_id ?? 0;
      if (after >= head) return { events: [], upTo: after, last: true, next: after };
      const { projects = [], issues, types, actors } = filter;
      const narrow = (issues ?? types ?? actors) !== undefined;
      const range = { after, head, limit: maxEvents, maxBytes };
      if (!narrow && projects.length < 2) return await feedPage(connection, projects[0], range);
      const page = await matchingEvents(connection, filter, range);
      return { ...page, next: narrow ? page.upTo : (page.events.at(-1)?.id ?? after) };
    },
    withIds: async (ids) => await eventsWithIds(connection, ids),
    ofIssue: async (uid, after, limit) => await ofIssue.all(connection, { uid, after, limit }),
    lastOfIssue: async (uid, limit) => await lastOfIssue.all(connection, { uid, limit }),
    settingsOf: async (uid, which, limit) => await settingsOf(connection, uid, which, limit),
    during: async ({ since, until, project_uid, actor }, after, limit) => {
      const from = { since: after?.created_at ?? since, id: after?.id ?? 0 };
      return await activityDuring.all(connection, { ...from, until, limit, project_uid, actor });
    },
    closes: async (type, project_uid, after, limit) =>
      await CLOSES[type].all(connection, { project_uid, after, limit }),
    find: async (uid) => {
      const event = await byUid.one(connection, { uid });
      return event === undefined || isHidden(event.type) ? undefined : event;
    },
    latestOf: async <K extends EventKind>(uids: readonly string[], type: K) =>
      (await lastPerIssue(
        connection,
        await ofKind.all(connection, { uids, type }),
      )) as readonly StoredEvent<K>[],
    head: async () => requiredRow(await readHead.one(connection, {})),
    place: async (id) => requiredRow(await place.one(connection, { id })),
    lastId: async () => (await last.one(connection, {}))?.last_event_id ?? 0,
    resetAfter: async (uids) => (await reset.one(connection, { uids }))?.after_event_id ?? 0,
    resetsAfter: async (after) => await resets.all(connection, { after }),
  };
}

/** Reads a page of the whole log or of one project. Examines only a bounded part of the log (`WINDOW`). */
async function feedPage(
  connection: Connection,
  project_uid: string | undefined,
  { after, head, limit: most, maxBytes }: PageRange,
): Promise<EventPage> {
  const upTo = await windowEnd(connection, project_uid, after, head);
  const wanted = { after, up_to: upTo, project_uid };
  const limit = await pageWithin(
    most,
    maxBytes,
    async () => await shownSizes.all(connection, { ...wanted, limit: most }),
  );
  const events = await shown.all(connection, { ...wanted, limit });
  const last = events.at(-1)?.id;
  if (last !== undefined && (events.length === limit || last === upTo))
    return { events, upTo: last, last: last >= head, next: last };
  const next = (await lastUpTo.one(connection, wanted))?.id ?? after;
  return { events, upTo, last: upTo >= head, next };
}

/**
 * Returns the last id that one page examines. The page leaves out snapshots, and a baseline has as many of them as its
 * project has issues. The bound ensures that a page never blocks other readers for long.
 */
async function windowEnd(
  connection: Connection,
  project_uid: string | undefined,
  after: number,
  head: number,
): Promise<number> {
  if (head - after <= WINDOW) return head;
  if (project_uid === undefined) return after + WINDOW;
  return (await windowOf.one(connection, { after, limit: 1, project_uid }))?.id ?? head;
}

/** Returns the events with these ids, in the order of the list. Ids without an event are left out. */
export async function eventsWithIds(
  connection: Connection,
  ids: readonly number[],
): Promise<readonly StoredEvent[]> {
  const found = new Map((await byIds.all(connection, { ids })).map((event) => [event.id, event]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

const byIds = eventStatement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint")),
);

interface Feed {
  readonly after: number;
  readonly limit: number;
  readonly project_uid: string | undefined;
}

type FeedPart = Feed & { readonly up_to: number };

/**
 * Selects the events of one project or of all. Ordering by `feed_uid` and `id` makes PostgreSQL use the index of both;
 * otherwise it would scan the whole log for a project that was created late.
 */
const feedOf = (db: Kysely<Tables>, p: Feed, dialect: Dialect) => {
  const feed = db.selectFrom("event").limit(p.limit);
  if (p.project_uid === undefined)
    return feed.where("id", ">", p.after).where(VISIBLE).orderBy("id");
  return dialect === "sqlite"
    ? feed.where("feed_uid", "=", p.project_uid).where("id", ">", p.after).orderBy("id")
    : feed
        .where(sql<boolean>`(feed_uid, id) > (${p.project_uid}, ${p.after})`)
        .where("feed_uid", "<=", p.project_uid)
        .orderBy("feed_uid")
        .orderBy("id");
};

const feed = eventStatement(
  (db, p: Feed, dialect) => feedOf(db, p, dialect).selectAll(),
  ["project_uid"],
);

const shownOf = (db: Kysely<Tables>, p: FeedPart, dialect: Dialect) =>
  feedOf(db, p, dialect).where("id", "<=", p.up_to).where(NO_SNAPSHOT);

const shown = eventStatement(
  (db, p: FeedPart, dialect) => shownOf(db, p, dialect).selectAll(),
  ["project_uid"],
);
const shownSizes = optionalStatement(["project_uid"], (db, p: FeedPart, dialect) =>
  shownOf(db, p, dialect).select(PAYLOAD_SIZE),
);

const windowOf = optionalStatement(["project_uid"], (db, p: Feed, dialect) =>
  feedOf(db, p, dialect)
    .select("id")
    .offset(WINDOW - 1),
);

const lastUpTo = optionalStatement(["project_uid"], (db, p: Omit<FeedPart, "limit">, _dialect) => {
  const query = db
    .selectFrom("event")
    .select("id")
    .where("id", ">", p.after)
    .where("id", "<=", p.up_to)
    .limit(1);
  return p.project_uid === undefined
    ? query.where(VISIBLE).orderBy("id", "desc")
    : query.where("feed_uid", "=", p.project_uid).orderBy("feed_uid", "desc").orderBy("id", "desc");
});

const ofIssue = eventStatement((db, p: { uid: string; after: number; limit: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.uid)
    .where(NO_SNAPSHOT)
    .where("id", ">", p.after)
    .unionAll((more) =>
      more
        .selectFrom("event")
        .selectAll()
        .where("related_issue_uid", "=", p.uid)
        .where(sql<boolean>`issue_uid is distinct from ${p.uid}`)
        .where("id", ">", p.after),
    )
    .orderBy("id")
    .limit(p.limit),
);

const lastOfIssue = eventStatement((db, p: { uid: string; limit: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.uid)
    .where(NO_SNAPSHOT)
    .unionAll((more) =>
      more
        .selectFrom("event")
        .selectAll()
        .where("related_issue_uid", "=", p.uid)
        .where(sql<boolean>`issue_uid is distinct from ${p.uid}`),
    )
    .orderBy("id", "desc")
    .limit(p.limit),
);

/**
 * Selects the closes (`issue.closed`) or the refused closes (`close.throttled`) of a project. The type is a literal in
 * the statement, because otherwise the partial index for this type is not used.
 */
const closesOf = (type: EventKind) =>
  eventStatement((db, p: { project_uid: string; after: number; limit: number }, dialect) => {
    const kind = sql.lit(type);
    const closes = db
      .selectFrom("event")
      .selectAll()
      .where("type", "=", kind)
      .where(NOT_SKIPPED)
      .limit(p.limit);
    return dialect === "sqlite"
      ? closes.where("feed_uid", "=", p.project_uid).where("id", ">", p.after).orderBy("id")
      : closes
          .where(sql<boolean>`(feed_uid, type, id) > (${p.project_uid}, ${kind}, ${p.after})`)
          .where("feed_uid", "<=", p.project_uid)
          .orderBy("feed_uid")
          .orderBy("type")
          .orderBy("id");
  });

const CLOSES = {
  "issue.closed": closesOf("issue.closed"),
  "close.throttled": closesOf("close.throttled"),
} as const;

const byUid = rowsWith("event", ["uid"]).map(eventOf);

async function lastPerIssue(
  connection: Connection,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const order = await foldOrder(connection, ALL_EVENTS);
  const last = new Map(order.sorted(events).map((event) => [event.issue_uid, event]));
  return order.sorted(last.values());
}

/**
 * Selects the events of a kind for each of the issues. `unindexed` keeps SQLite from using the index by type, because
 * it would then read every event of that kind.
 */
const ofKind = eventStatement((db, p: { uids: readonly string[]; type: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .where(sql<boolean>`${unindexed(dialect, "type")} = ${p.type}`)
    .where(NOT_SKIPPED),
);

const last = statement((db, _p: Record<never, never>) =>
  db.selectFrom("log_head").select("last_event_id"),
);

const place = statement((db, p: { id: number }) =>
  db
    .selectFrom("log_head")
    .select(({ selectFrom }) => [
      "last_event_id",
      "epoch",
      selectFrom("event").select("chain").where("id", "=", p.id).as("chain"),
    ]),
);

/** The log has its single row from the first migration on. */
function requiredRow<Row>(row: Row | undefined): Row {
  invariant(row !== undefined, "log_head has its row");
  return row;
}

const resets = statement((db, p: { after: number }) =>
  db.selectFrom("purge_reset").selectAll().where("after_event_id", ">", p.after),
);

const reset = optionalStatement(
  ["uids"],
  (db, { uids }: { readonly uids: readonly string[] | undefined }, dialect) => {
    const query = db
      .selectFrom("purge_reset")
      .select(({ fn }) => fn.max("after_event_id").as("after_event_id"));
    return uids === undefined
      ? query
      : query.where(({ ref }) => isIn(dialect, ref("project_uid"), uids));
  },
);
