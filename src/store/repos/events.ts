import { type Kysely, sql } from "kysely";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { Connection, Dialect } from "../connection.ts";
import type { Events } from "../event-types.ts";
import { eventOf } from "../rows.ts";
import type { Tables } from "../schema.ts";
import { isIn, rowsWith, statement } from "../statement.ts";
import { matchingEvents, PAYLOAD_SIZE, pageWithin } from "./event-pages.ts";

export function events(connection: Connection): Events {
  return {
    after: async (after, limit, project_uid) => {
      const rows =
        project_uid === undefined
          ? await allAfter.all(connection, { after, limit })
          : await projectAfter.all(connection, { after, limit, project_uid });
      return rows.map(eventOf);
    },
    matching: async (filter, after, asked, maxBytes) => {
      const head = (await last.one(connection, {}))?.last_event_id ?? 0;
      if (after >= head) return { events: [], upTo: after, last: true };
      const { projects = [], issues, types, actors } = filter;
      if (projects.length > 1 || (issues ?? types ?? actors) !== undefined)
        return await matchingEvents(connection, filter, { after, head, limit: asked, maxBytes });
      const [project_uid] = projects;
      const limit = await pageWithin(asked, maxBytes, async () =>
        project_uid === undefined
          ? await allSizes.all(connection, { after, limit: asked })
          : await projectSizes.all(connection, { after, limit: asked, project_uid }),
      );
      const rows =
        project_uid === undefined
          ? await allAfter.all(connection, { after, limit })
          : await projectAfter.all(connection, { after, limit, project_uid });
      const upTo = rows.length === limit ? (rows.at(-1)?.id ?? head) : head;
      return { events: rows.map(eventOf), upTo, last: rows.length < limit || upTo >= head };
    },
    ofIssue: async (uid, after, limit) =>
      (await ofIssue.all(connection, { uid, after, limit })).map(eventOf),
    during: async ({ since, until, project_uid, actor }, after, limit) => {
      const span = { since: after?.created_at ?? since, id: after?.id ?? 0, until, limit };
      return (await eventsDuring(connection, span, project_uid, actor)).map(eventOf);
    },
    closes: async (type, project_uid, after, limit) => {
      const values = { project_uid, after, limit };
      const rows =
        type === "issue.closed"
          ? await closed.all(connection, values)
          : await throttled.all(connection, values);
      return rows.map(eventOf);
    },
    find: async (uid) => {
      const row = await byUid.one(connection, { uid });
      return row === undefined ? undefined : eventOf(row);
    },
    latestOf: async (uids, type) => {
      const rows = await latest.all(connection, { uids, type });
      return rows.map((row) => eventOf(row) as StoredEvent<typeof type>);
    },
    lastId: async () => (await last.one(connection, {}))?.last_event_id ?? 0,
    resetAfter: async (uids) => {
      const row =
        uids === undefined
          ? await resetAll.one(connection, {})
          : await resetProjects.one(connection, { uids });
      return row?.after_event_id ?? 0;
    },
    resetsAfter: async (after) => await resets.all(connection, { after }),
  };
}

const feedOfAll = (db: Kysely<Tables>, p: Feed) =>
  db.selectFrom("event").where("id", ">", p.after).orderBy("id").limit(p.limit);

/**
 * Ordering by both columns makes PostgreSQL use their index; otherwise it scans the whole log for a project that was
 * created late.
 */
const feedOfProject = (db: Kysely<Tables>, p: Feed & OfProject, dialect: Dialect) => {
  const feed = db.selectFrom("event").limit(p.limit);
  return dialect === "sqlite"
    ? feed.where("feed_uid", "=", p.project_uid).where("id", ">", p.after).orderBy("id")
    : feed
        .where(sql<boolean>`(feed_uid, id) > (${p.project_uid}, ${p.after})`)
        .where("feed_uid", "<=", p.project_uid)
        .orderBy("feed_uid")
        .orderBy("id");
};

const allAfter = statement((db, p: Feed) => feedOfAll(db, p).selectAll());
const allSizes = statement((db, p: Feed) => feedOfAll(db, p).select(PAYLOAD_SIZE));

const projectAfter = statement((db, p: Feed & OfProject, dialect) =>
  feedOfProject(db, p, dialect).selectAll(),
);
const projectSizes = statement((db, p: Feed & OfProject, dialect) =>
  feedOfProject(db, p, dialect).select(PAYLOAD_SIZE),
);

const ofIssue = statement((db, p: { uid: string; after: number; limit: number }) =>
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

interface Feed {
  readonly after: number;
  readonly limit: number;
}

interface FromTo {
  readonly since: string;
  readonly id: number;
  readonly until: string;
  readonly limit: number;
}

interface OfProject {
  readonly project_uid: string;
}

interface OfActor {
  readonly actor: string;
}

const eventsFrom = (db: Kysely<Tables>, p: FromTo) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(sql<boolean>`(created_at, id) > (${p.since}, ${p.id})`)
    .where("created_at", "<=", p.until)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit);

async function eventsDuring(
  connection: Connection,
  span: FromTo,
  project_uid: string | undefined,
  actor: string | undefined,
) {
  if (actor === undefined) {
    return project_uid === undefined
      ? await during.all(connection, span)
      : await projectDuring.all(connection, { ...span, project_uid });
  }
  return project_uid === undefined
    ? await actorDuring.all(connection, { ...span, actor })
    : await actorProjectDuring.all(connection, { ...span, actor, project_uid });
}

const during = statement((db, p: FromTo) => eventsFrom(db, p));

const projectDuring = statement((db, p: FromTo & OfProject, dialect) =>
  eventsFrom(db, p).where(inFeed(p, dialect)),
);

const actorDuring = statement((db, p: FromTo & OfActor) =>
  eventsFrom(db, p).where("actor", "=", p.actor),
);

const actorProjectDuring = statement((db, p: FromTo & OfActor & OfProject, dialect) =>
  eventsFrom(db, p).where("actor", "=", p.actor).where(inFeed(p, dialect)),
);

/**
 * The unary plus makes SQLite scan the range of ids; without it SQLite would use the project's index and sort all its
 * events.
 */
function inFeed({ project_uid }: OfProject, dialect: Dialect) {
  return dialect === "sqlite"
    ? sql<boolean>`+feed_uid = ${project_uid}`
    : sql<boolean>`feed_uid = ${project_uid}`;
}

/** The kind is a literal in the statement, because otherwise its partial index is not used. */
const closesOf = (type: EventKind) =>
  statement((db, p: { project_uid: string; after: number; limit: number }, dialect) => {
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

const closed = closesOf("issue.closed");
const throttled = closesOf("close.throttled");

const byUid = rowsWith("event", ["uid"]);

/** The unary plus makes SQLite use the index of issues; without it SQLite would read every event of the kind. */
const latest = statement((db, p: { uids: readonly string[]; type: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("event")
        .select(({ fn }) => fn.max("id").as("id"))
        .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
        .where(
          dialect === "sqlite" ? sql<boolean>`+type = ${p.type}` : sql<boolean>`type = ${p.type}`,
        )
        .groupBy("issue_uid"),
    )
    .orderBy("id"),
);

const last = statement((db, _p: Record<never, never>) =>
  db.selectFrom("log_head").select("last_event_id"),
);

const resetAll = statement((db, _p: Record<never, never>) =>
  db.selectFrom("purge_reset").select(({ fn }) => fn.max("after_event_id").as("after_event_id")),
);

const resets = statement((db, p: { after: number }) =>
  db.selectFrom("purge_reset").selectAll().where("after_event_id", ">", p.after),
);

const resetProjects = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("purge_reset")
    .select(({ fn }) => fn.max("after_event_id").as("after_event_id"))
    .where(({ ref }) => isIn(dialect, ref("project_uid"), p.uids)),
);
