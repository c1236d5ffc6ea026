import { sql } from "kysely";
import { invariant } from "../../base/invariant.ts";
import { all, builder, type Connection } from "../connection.ts";
import { projectOf } from "../rows/rows.ts";
import { isIn, rowsWith, statement } from "../rows/statement.ts";
import type { Projects } from "../types/projects.ts";

export function projects(connection: Connection): Projects {
  return {
    list: async (archived) => {
      const query = builder(connection.dialect).selectFrom("project").selectAll().orderBy("id");
      const rows = await all(connection, archived ? query : query.where("deleted_at", "is", null));
      return rows.map(projectOf);
    },
    find: async (uid) => await byUid.one(connection, { uid }),
    findById: async (id) => await byId.one(connection, { id }),
    findByName: async (name) => await byName.one(connection, { name }),
    aliases: async (project_uid) => await aliasesOf.all(connection, { project_uid }),
    findByAlias: async (identity) => await byAlias.one(connection, { identity }),
    contents: async (uid) => {
      const found = await contentsOf.one(connection, { uid });
      invariant(found !== undefined, "counts are there, if only zero");
      return found;
    },
    authored: async (uid, name) => {
      const found = await authoredBy.one(connection, { uid, name });
      invariant(found !== undefined, "counts are there, if only zero");
      return found;
    },
    holdsMoreThan: async (uid, count) => {
      const found = await sizeOf.one(connection, { uid, most: count + 1 });
      return found !== undefined && Math.max(found.issues ?? 0, found.events ?? 0) > count;
    },
    stats: async (uids) => {
      if (uids.length === 0) return new Map();
      const rows = await statsOf.all(connection, { uids });
      return new Map(rows.map(({ uid, ...stats }) => [uid, stats]));
    },
  };
}

const byUid = rowsWith("project", ["uid"]).map(projectOf);
const byId = rowsWith("project", ["id"]).map(projectOf);
const byName = rowsWith("project", ["name"]).map(projectOf);

const aliasesOf = rowsWith("alias", ["project_uid"], ["id"]);

const byAlias = statement((db, p: { identity: string }) =>
  db
    .selectFrom("alias")
    .innerJoin("project", "project.uid", "alias.project_uid")
    .selectAll("project")
    .where("alias.alias_identity", "=", p.identity),
).map(projectOf);

const sizeOf = statement((db, p: { uid: string; most: number }) => {
  const issues = db.selectFrom("issue").select("uid").where("project_uid", "=", p.uid);
  const events = db.selectFrom("event").select("uid").where("feed_uid", "=", p.uid);
  return db.selectNoFrom(({ fn }) => [
    db
      .selectFrom(issues.limit(p.most).as("some"))
      .select(fn.countAll<number>().as("n"))
      .as("issues"),
    db
      .selectFrom(events.limit(p.most).as("some"))
      .select(fn.countAll<number>().as("n"))
      .as("events"),
  ]);
});

const statsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("project")
    .select([
      "uid",
      "open_issues as open",
      "closed_issues as closed",
      sql<
        string | null
      >`(select e.created_at from event e where e.feed_uid = project.uid order by e.id desc limit 1)`.as(
        "last_event_at",
      ),
    ])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

const contentsOf = statement((db, p: { uid: string }) => {
  const count = (table: "issue" | "alias" | "event" | "purge_log", column: string) =>
    sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${p.uid})`;
  return db.selectNoFrom([
    count("issue", "project_uid").as("issues"),
    count("alias", "project_uid").as("aliases"),
    count("event", "feed_uid").as("events"),
    count("purge_log", "project_uid").as("purge_logs"),
  ]);
});

const authoredBy = statement((db, p: { uid: string; name: string }) => {
  const count = (from: string, on: string) =>
    sql<number>`(select count(*) from ${sql.raw(from)} where i.project_uid = ${p.uid} and ${sql.ref(on)} = ${p.name})`;
  return db.selectNoFrom([
    count("issue i", "i.author").as("issue_authors"),
    count("issue i", "i.owner").as("issue_owners"),
    count("comment c join issue i on i.uid = c.issue_uid", "c.author").as("comment_authors"),
    count("link l join issue i on i.uid = l.from_uid", "l.author").as("link_authors"),
  ]);
});
