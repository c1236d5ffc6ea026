import { type Kysely, sql } from "kysely";
import { invariant } from "../../base/invariant.ts";
import { isHidden } from "../../contract/event-kinds.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { inOrder } from "../../domain/order.ts";
import type { Connection, Dialect } from "../connection.ts";
import { readHead } from "../log/head.ts";
import { eventOf } from "../rows/rows.ts";
import { isIn, optionalStatement, rowsWith, statement, unindexed } from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import type { Events } from "../types/events.ts";
import { activityDuring } from "./activity.ts";
import { matchingEvents, PAYLOAD_SIZE, pageWithin } from "./event-pages.ts";
import { eventStatement, VISIBLE } from "./statements.ts";

export function events(connection: Connection): Events {
  return {
    after: async (after, limit, project_uid) =>
      await feed.all(connection, { after, limit, project_uid }),
    matching: async (filter, after, maxEvents, maxBytes) => {
      const head = (await last.one(connection, {}))?.last_event_id ?? 0;
      if (after >= head) return { events: [], upTo: after, last: true };
      const { projects = [], issues, types, actors } = filter;
      if (projects.length > 1 || (issues ?? types ?? actors) !== undefined)
        return await matchingEvents(connection, filter, {
          after,
          head,
          limit: maxEvents,
          maxBytes,
        });
      const [project_uid] = projects;
      const limit = await pageWithin(
        maxEvents,
        maxBytes,
        async () => await feedSizes.all(connection, { after, limit: maxEvents, project_uid }),
      );
      const found = await feed.all(connection, { after, limit, project_uid });
      const upTo = found.length === limit ? (found.at(-1)?.id ?? head) : head;
      return { events: found, upTo, last: found.length < limit || upTo >= head };
    },
    ofIssue: async (uid, after, limit) => await ofIssue.all(connection, { uid, after, limit }),
    lastOfIssue: async (uid, limit) => await lastOfIssue.all(connection, { uid, limit }),
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
      lastPerIssue(await ofKind.all(connection, { uids, type })) as readonly StoredEvent<K>[],
    head: async () => requiredRow(await readHead.one(connection, {})),
    place: async (id) => requiredRow(await place.one(connection, { id })),
    lastId: async () => (await last.one(connection, {}))?.last_event_id ?? 0,
    resetAfter: async (uids) => (await reset.one(connection, { uids }))?.after_event_id ?? 0,
    resetsAfter: async (after) => await resets.all(connection, { after }),
  };
}

interface Feed {
  readonly after: number;
  readonly limit: number;
  readonly project_uid: string | undefined;
}

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
const feedSizes = optionalStatement(["project_uid"], (db, p: Feed, dialect) =>
  feedOf(db, p, dialect).select(PAYLOAD_SIZE),
);

const ofIssue = eventStatement((db, p: { uid: string; after: number; limit: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.uid)
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
    const closes = db.selectFrom("event").selectAll().where("type", "=", kind).limit(p.limit);
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

function lastPerIssue(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const last = new Map(inOrder(events).map((event) => [event.issue_uid, event]));
  return inOrder(last.values());
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
    .where(sql<boolean>`${unindexed(dialect, "type")} = ${p.type}`),
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
