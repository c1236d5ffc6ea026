import { type RawBuilder, sql } from "kysely";
import type { EventKind } from "../../contract/events.ts";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { isIn, listAs, payloadHas, statement, unindexed } from "../rows/statement.ts";
import type { Holders } from "../types/work.ts";
import { ACTIVITY, NOT_SKIPPED } from "./statements.ts";

const HELD = [
  "i.uid",
  "i.short_id",
  "i.title",
  "i.status",
  "i.owner",
  "p.id as project_id",
  "p.name as project_name",
] as const;

/**
 * Reads who works on what. Each query starts from the leases or names, because there are few of them, and looks up
 * their issues. A cross join makes SQLite keep this order. Otherwise it would scan all issues of a project.
 */
export function holders(connection: Connection): Holders {
  const { dialect } = connection;
  return {
    leased: async (projectUid, limit) => {
      let query = builder(dialect)
        .selectFrom("lease as l")
        .crossJoin("issue as i")
        .innerJoin("project as p", "p.uid", "i.project_uid")
        .selectAll("l")
        .select(HELD)
        .whereRef("i.uid", "=", "l.issue_uid")
        .where("l.released_at", "is", null)
        .where("i.deleted_at", "is", null)
        .where("p.deleted_at", "is", null)
        .orderBy("l.acquired_at")
        .orderBy("l.id")
        .limit(limit);
      if (projectUid !== undefined) query = query.where("i.project_uid", "=", projectUid);
      return await all(connection, query);
    },
    owners: async (projectUid) => {
      let query = builder(dialect)
        .selectFrom("issue")
        .select("owner")
        .distinct()
        .where("deleted_at", "is", null)
        .where("status", "=", sql.lit("open"))
        .where("owner", "is not", null)
        .where(
          sql<boolean>`project_uid not in (select uid from project where deleted_at is not null)`,
        );
      if (projectUid !== undefined) query = query.where("project_uid", "=", projectUid);
      return (await all(connection, query)).flatMap(({ owner }) => owner ?? []);
    },
    owned: async (owners, projectUid, limit) => {
      let query = builder(dialect)
        .selectFrom(inOrder(dialect, owners))
        .crossJoin("issue as i")
        .innerJoin("project as p", "p.uid", "i.project_uid")
        .select(HELD)
        .whereRef("i.owner", "=", "named.value")
        .where("i.status", "=", sql.lit("open"))
        .where("i.deleted_at", "is", null)
        .where("p.deleted_at", "is", null)
        .orderBy("named.key")
        .orderBy("i.id")
        .limit(limit);
      if (projectUid !== undefined) query = query.where("i.project_uid", "=", projectUid);
      return await all(connection, query);
    },
    lastEvents: async (actors) => await lastEvents.all(connection, { actors }),
    hasNewOwner: async (uid, after) =>
      (await ownerAfter.one(connection, { uid, after })) !== undefined,
    ownedSince: async (uids) => await ownedSince.all(connection, { uids }),
  };
}

/** SQL: the names as a table `named` with the columns `value` (a name) and `key` (its position). */
function inOrder(dialect: Dialect, names: readonly string[]) {
  const list = sql<{ readonly key: number; readonly value: string }>`json_each(${names})`;
  if (dialect === "sqlite") return list.as("named");
  return sql<{
    readonly key: number;
    readonly value: string;
  }>`unnest(${names}::text[]) with ordinality`.as<"named">(sql`named(value, key)`);
}

const lastEvents = statement((db, p: { actors: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select(["id", "actor", "type", "created_at", "issue_uid"])
    .where("id", "in", lastIds(dialect, p.actors)),
);

/**
 * SQL: the id of each actor's last event. Uses one index lookup per actor, since grouping by actor would read the whole
 * log.
 */
function lastIds(dialect: Dialect, actors: readonly string[]): RawBuilder<number> {
  const last = sql`(select max(id) from event where actor = named.value and ${ACTIVITY})`;
  return sql<number>`(select ${last} from ${listAs(dialect, actors, "named")})`;
}

function givesOwner(dialect: Dialect, ...kinds: readonly EventKind[]) {
  // `unindexed` keeps SQLite from using the index by type, because it would then read every event of these kinds.
  const type = unindexed(dialect, "type");
  const setsOwner = payloadHas(dialect, sql.lit('"owner":'));
  return sql<boolean>`(${type} in (${sql.join(kinds.map((kind) => sql.lit(kind)))}) or (${type} = 'issue.updated' and ${setsOwner}))`;
}

const ownedSince = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select(({ fn }) => ["issue_uid", fn.max("created_at").as("since")])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .where(givesOwner(dialect, "issue.created", "issue.assigned"))
    .where(NOT_SKIPPED)
    .groupBy("issue_uid"),
);

const ownerAfter = statement((db, p: { uid: string; after: number }, dialect) =>
  db
    .selectFrom("event")
    .select("id")
    .where("issue_uid", "=", p.uid)
    .where("id", ">", p.after)
    .where(givesOwner(dialect, "issue.assigned", "issue.unassigned"))
    .where(NOT_SKIPPED)
    .limit(1),
);
