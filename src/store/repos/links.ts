import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, optionalStatement, rowsWith, statement } from "../rows/statement.ts";
import type { Links } from "../types/issues.ts";

export function links(connection: Connection): Links {
  return {
    find: async (from_uid, to_uid, type) => await byKey.one(connection, { from_uid, to_uid, type }),
    get: async (id) => await byId.one(connection, { id }),
    parentOf: async (uid) => await parentLink.one(connection, { uid }),
    touching: async (uids, most) =>
      uids.length === 0 ? [] : await touchingAny.all(connection, { uids, most }),
    endsTouching: async (uids) =>
      uids.length === 0 ? [] : await endsTouchingAny.all(connection, { uids }),
    touchMoreThan: async (uids, count) => {
      const found = await touchCount.one(connection, { uids, most: count + 1 });
      return (found?.count ?? 0) > count;
    },
    inTheWay: async (uids, childrenOf) => await inTheWay.all(connection, { uids, childrenOf }),
    openBlocks: async () => await openBlocks.all(connection, {}),
    openFamilies: async () => await openFamilies.all(connection, {}),
    ancestors: async (uid) => {
      const rows = await ancestorsOf.all(connection, { uid });
      return [...new Set(rows.map((row) => row.uid))];
    },
  };
}

const byKey = rowsWith("link", ["from_uid", "type", "to_uid"]);

const byId = rowsWith("link", ["id"]);

const parentLink = statement((db, p: { uid: string }) =>
  db.selectFrom("link").selectAll().where("from_uid", "=", p.uid).where("type", "=", "parent"),
);

/**
 * The links with an end at one of the issues, sorted by id. A link between two of the issues is returned once. The ids
 * come from the indexes, so only the returned links are read.
 */
const touchingAny = optionalStatement(
  ["most"],
  (db, p: { uids: readonly string[]; most: number | undefined }, dialect) => {
    const ids = db.selectFrom("link").select("id");
    const ends = ids
      .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids))
      .union(ids.where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids)));
    return db
      .selectFrom("link")
      .selectAll()
      .where("id", "in", p.most === undefined ? ends : ends.limit(p.most))
      .orderBy("id");
  },
);

const endsTouchingAny = statement((db, p: { uids: readonly string[] }, dialect) => {
  const ends = db.selectFrom("link").select(["id", "from_uid", "to_uid", "type"]);
  return ends
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids))
    .union(ends.where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids)))
    .orderBy("id");
});

const touchCount = statement((db, p: { uids: readonly string[]; most: number }, dialect) => {
  const ends = db
    .selectFrom("link as l")
    .select(sql<number>`1`.as("one"))
    .where(({ ref }) => isIn(dialect, ref("l.from_uid"), p.uids))
    .unionAll((more) =>
      more
        .selectFrom("link as l")
        .select(sql<number>`1`.as("one"))
        .where(({ ref }) => isIn(dialect, ref("l.to_uid"), p.uids)),
    );
  return db
    .selectFrom(db.selectFrom(ends.as("ends")).select("ends.one").limit(p.most).as("some"))
    .select(({ fn }) => fn.countAll<number>().as("count"));
});

const inTheWay = statement(
  (db, p: { uids: readonly string[]; childrenOf: readonly string[] }, dialect) => {
    const open = (type: "blocks" | "parent", to: readonly string[]) =>
      db
        .selectFrom("link as l")
        .innerJoin("issue as i", "i.uid", "l.from_uid")
        .select(["l.id", "l.from_uid", "l.to_uid", "l.type"])
        .where(({ ref }) => isIn(dialect, ref("l.to_uid"), to))
        .where("l.type", "=", sql.lit(type))
        .where("i.status", "=", sql.lit("open"))
        .where("i.deleted_at", "is", null);
    const parents = db
      .selectFrom("link as l")
      .select(["l.id", "l.from_uid", "l.to_uid", "l.type"])
      .where(({ ref }) => isIn(dialect, ref("l.from_uid"), p.uids))
      .where("l.type", "=", sql.lit("parent"));
    const all = open("blocks", p.uids).union(open("parent", p.childrenOf)).union(parents);
    return db
      .selectFrom(all.as("found"))
      .select(["found.from_uid", "found.to_uid", "found.type"])
      .orderBy("found.id");
  },
);

const openFamilies = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("issue as child")
    .innerJoin("project as home", "home.uid", "child.project_uid")
    .innerJoin("link as l", "l.from_uid", "child.uid")
    .innerJoin("issue as parent", "parent.uid", "l.to_uid")
    .innerJoin("project as away", "away.uid", "parent.project_uid")
    .select(["l.from_uid", "l.to_uid"])
    .where("child.status", "=", sql.lit("open"))
    .where("child.deleted_at", "is", null)
    .where(({ eb, or }) =>
      or([
        eb("child.open_blockers", ">", sql.lit(0)),
        eb("child.open_children", ">", sql.lit(0)),
        eb("child.held", "=", sql.lit(1)),
      ]),
    )
    .where("home.deleted_at", "is", null)
    .where("l.type", "=", sql.lit("parent"))
    .where("parent.status", "=", sql.lit("open"))
    .where("parent.deleted_at", "is", null)
    .where("away.deleted_at", "is", null)
    .orderBy("l.id"),
);

/** The condition on `open_blockers` excludes nearly all issues before any link is read. */
const openBlocks = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("issue as blocked")
    .innerJoin("project as home", "home.uid", "blocked.project_uid")
    .innerJoin("link as l", "l.to_uid", "blocked.uid")
    .innerJoin("issue as blocker", "blocker.uid", "l.from_uid")
    .innerJoin("project as away", "away.uid", "blocker.project_uid")
    .select([
      "l.from_uid",
      "blocker.project_uid as from_project_uid",
      "l.to_uid",
      "blocked.project_uid as to_project_uid",
    ])
    .where("blocked.status", "=", sql.lit("open"))
    .where("blocked.open_blockers", ">", sql.lit(0))
    .where("blocked.deleted_at", "is", null)
    .where("home.deleted_at", "is", null)
    .where("l.type", "=", sql.lit("blocks"))
    .where("blocker.status", "=", sql.lit("open"))
    .where("blocker.deleted_at", "is", null)
    .where("away.deleted_at", "is", null),
);

/**
 * Limits the depth so that the query ends on a cycle of parents, which no write creates but a damaged log may
 * contain.
 */
const MAX_DEPTH = 100_000;

const ancestorsOf = statement((db, p: { uid: string }) =>
  db
    .withRecursive("up(uid, depth)", (cte) =>
      cte
        .selectFrom("link as l")
        .select(["l.to_uid as uid", sql<number>`1`.as("depth")])
        .where("l.from_uid", "=", p.uid)
        .where("l.type", "=", sql.lit("parent"))
        .unionAll(
          cte
            .selectFrom("up")
            .innerJoin("link as l", "l.from_uid", "up.uid")
            .select(["l.to_uid as uid", sql<number>`up.depth + 1`.as("depth")])
            .where("l.type", "=", sql.lit("parent"))
            .where("l.to_uid", "<>", p.uid)
            .where("up.depth", "<", sql.lit(MAX_DEPTH)),
        ),
    )
    .selectFrom("up")
    .select("uid")
    .where("uid", "<>", p.uid)
    .orderBy("depth"),
);
