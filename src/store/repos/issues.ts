import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { issuesWithProject, metadataOf, PROJECT_COLUMNS } from "../rows/rows.ts";
import { isIn, statement, unindexed } from "../rows/statement.ts";
import type { Issues } from "../types/issues.ts";
import { listIssues, listSizes, readyIssues, readySizes } from "./issue-lists.ts";
import { issueStatement } from "./statements.ts";
import { takeableIssue } from "./take.ts";

export function issues(connection: Connection): Issues {
  return {
    find: async (uid) => await byUid.one(connection, { uid }),
    findByShortId: async (project_uid, short_id) =>
      await byShortId.one(connection, { project_uid, short_id }),
    lostShortId: async (project_uid, short_id) =>
      await lostTo.all(connection, {
        project_uid,
        ending: `%_${short_id}`,
        named: `%"short_id":"${short_id}"%`,
      }),
    byUidPrefix: async (prefix, limit) =>
      await byPrefix.all(connection, { from: prefix, to: `${prefix}~`, limit }),
    many: async (uids) => {
      if (uids.length === 0) return new Map();
      const found = await byUids.all(connection, { uids });
      return new Map(found.map((issue) => [issue.uid, issue]));
    },
    names: async (uids) => {
      const rows = uids.length === 0 ? [] : await namesByUids.all(connection, { uids });
      return new Map(rows.map((row) => [row.uid, row]));
    },
    outlines: async (uids) => {
      if (uids.length === 0) return new Map();
      const rows = await outlinesByUids.all(connection, { uids });
      return new Map(rows.map((row) => [row.uid, { ...row, metadata: metadataOf(row.metadata) }]));
    },
    peers: async (uids) => {
      if (uids.length === 0) return new Map();
      const rows = await peersByUids.all(connection, { uids });
      return new Map(rows.map((row) => [row.uid, row]));
    },
    list: async (filter, order) => await listIssues(connection, filter, order),
    takeable: async (filter, now) => await takeableIssue(connection, filter, now),
    ready: async (filter, now, containers) =>
      await readyIssues(connection, filter, now, containers),
    sizes: async (filter, order) => await listSizes(connection, filter, order),
    readySizes: async (filter, now, containers) =>
      await readySizes(connection, filter, now, containers),
    scheduledUpTo: async (now) => (await scheduled.one(connection, { now }))?.at ?? null,
    children: async (uid) => await childrenOf.all(connection, { uid }),
    shortIdTaken: async (project_uid, short_id, except = "") =>
      (await shortId.one(connection, { project_uid, short_id, except })) !== undefined,
    takenShortIds: async (projects, ids) => {
      if (ids.length === 0) return new Set();
      const rows = await takenIds.all(connection, { projects, ids });
      return new Set(rows.map(({ short_id }) => short_id));
    },
    sharedShortIds: async (project_uid, other_uid) =>
      await sharedIds.all(connection, { project_uid, other_uid }),
    wasIn: async (project_uid, uid) =>
      (await formerOf.one(connection, { project_uid, uid })) !== undefined,
    findByFormerId: async (project_uid, short_id) =>
      await byFormerId.one(connection, { project_uid, short_id }),
  };
}

const byUid = issueStatement((db, p: { uid: string }) =>
  issuesWithProject(db).where("i.uid", "=", p.uid),
);

const byShortId = issueStatement((db, p: { project_uid: string; short_id: string }) =>
  issuesWithProject(db)
    .where("i.project_uid", "=", p.project_uid)
    .where("i.short_id", "=", p.short_id),
);

/**
 * Selects the issues that had the short id in a copy and lost it to an issue of the hub. Short ids are endings of uids,
 * so the longer short id that such an issue has now ends in the lost one. Only a copy of a hub's project has such
 * issues; for any other project the first condition ends the query. The events with short ids other than those in their
 * payloads are few and have an index. `unindexed` keeps SQLite from reading all issues of the project instead.
 */
const lostTo = issueStatement(
  (db, p: { project_uid: string; ending: string; named: string }, dialect) =>
    issuesWithProject(db)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("federation_binding as b")
            .select("b.project_uid")
            .where("b.project_uid", "=", p.project_uid)
            .where("b.role", "=", sql.lit("spoke" as const)),
        ),
      )
      .where(sql<boolean>`${unindexed(dialect, "i.project_uid")} = ${p.project_uid}`)
      .where("i.short_id", "like", p.ending)
      .where("i.uid", "in", ({ selectFrom }) =>
        selectFrom("event as e")
          .select(sql<string>`e.issue_uid`.as("uid"))
          .where(sql<boolean>`${unindexed(dialect, "e.type")} = 'issue.created'`)
          .where("e.assigned_ids", "is not", null)
          .where("e.payload", "like", p.named)
          .where("e.origin_instance_uid", "=", (of) =>
            of.selectFrom("meta").select("value").where("key", "=", sql.lit("instance_uid")),
          ),
      )
      .orderBy("i.uid"),
);

/** `to` is the prefix followed by `~`, which sorts after the digits and upper-case letters of uids. */
const byPrefix = issueStatement((db, p: { from: string; to: string; limit: number }) =>
  issuesWithProject(db)
    .where("i.uid", ">=", p.from)
    .where("i.uid", "<", p.to)
    .orderBy("i.uid")
    .limit(p.limit),
);

const byUids = issueStatement((db, p: { uids: readonly string[] }, dialect) =>
  issuesWithProject(db).where(({ ref }) => isIn(dialect, ref("i.uid"), p.uids)),
);

/** Does not read the body, which is by far the largest part of an issue. */
const outlinesByUids = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue as i")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .select(["i.uid", "i.project_uid", "i.short_id", "i.title", "i.status", "i.owner"])
    .select(["i.metadata", "i.deleted_at", "i.recurrence_uid"])
    .select(["p.name as project_name", "p.deleted_at as project_deleted_at"])
    .where(({ ref }) => isIn(dialect, ref("i.uid"), p.uids)),
);

/** Selects only the columns that a link shows, because a page of a list has about six peers per row. */
const namesByUids = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue as i")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .select(["i.uid", "i.short_id", "p.id as project_id", "p.name as project_name"])
    .where(({ ref }) => isIn(dialect, ref("i.uid"), p.uids)),
);

const peersByUids = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue as i")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .select(["i.id", "i.uid", "i.short_id", "i.status", "i.deleted_at"])
    .select(["p.name as project_name", "p.deleted_at as project_deleted_at"])
    .where(({ ref }) => isIn(dialect, ref("i.uid"), p.uids)),
);

const scheduled = statement((db, p: { now: string }) =>
  db
    .selectFrom("issue")
    .select(({ fn }) => fn.max("ready_from").as("at"))
    .where("ready_from", "is not", null)
    .where("ready_from", "<=", p.now),
);

const childrenOf = issueStatement((db, p: { uid: string }) =>
  db
    .selectFrom("link as l")
    .innerJoin("issue as i", "i.uid", "l.from_uid")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .selectAll("i")
    .select(PROJECT_COLUMNS)
    .where("l.to_uid", "=", p.uid)
    .where("l.type", "=", sql.lit("parent"))
    .where("i.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .orderBy("i.id"),
);

/** The tables that contain all short ids ever assigned in a project, including those of moved and purged issues. */
const GIVEN = ["issue", "former", "spent_id"] as const;

const shortId = statement((db, p: { project_uid: string; short_id: string; except: string }) => {
  const rowsWithId = (table: (typeof GIVEN)[number]) =>
    sql`select 1 from ${sql.table(table)} where project_uid = ${p.project_uid} and short_id = ${p.short_id}`;
  return db.selectNoFrom(sql<number>`1`.as("taken")).where(
    sql<boolean>`exists (${rowsWithId("issue")} and uid <> ${p.except})
        or exists (${rowsWithId("former")} and issue_uid <> ${p.except}) or exists (${rowsWithId("spent_id")})`,
  );
});

const takenIds = statement(
  (db, p: { projects: readonly string[]; ids: readonly string[] }, dialect) => {
    const idsIn = (table: (typeof GIVEN)[number]) =>
      db
        .selectFrom(table)
        .select("short_id")
        .where(({ ref }) => isIn(dialect, ref("project_uid"), p.projects))
        .where(({ ref }) => isIn(dialect, ref("short_id"), p.ids));
    return idsIn("issue").union(idsIn("former")).union(idsIn("spent_id"));
  },
);

const sharedIds = statement((db, p: { project_uid: string; other_uid: string }) => {
  const has = (table: (typeof GIVEN)[number]) =>
    sql`exists (select 1 from ${sql.table(table)} as g where g.project_uid = ${p.other_uid} and g.short_id = i.short_id)`;
  return db
    .selectFrom("issue as i")
    .select(["i.uid", "i.short_id"])
    .where("i.project_uid", "=", p.project_uid)
    .where(sql<boolean>`(${has("issue")} or ${has("former")} or ${has("spent_id")})`)
    .orderBy("i.uid");
});

const byFormerId = issueStatement((db, p: { project_uid: string; short_id: string }) =>
  db
    .selectFrom("former as f")
    .innerJoin("issue as i", "i.uid", "f.issue_uid")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .selectAll("i")
    .select(PROJECT_COLUMNS)
    .where("f.project_uid", "=", p.project_uid)
    .where("f.short_id", "=", p.short_id),
);

const formerOf = statement((db, p: { project_uid: string; uid: string }) =>
  db
    .selectFrom("former")
    .select("short_id")
    .where("issue_uid", "=", p.uid)
    .where("project_uid", "=", p.project_uid),
);
