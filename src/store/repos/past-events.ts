import { type Kysely, sql } from "kysely";
import type { EventKind } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Connection, Dialect } from "../connection.ts";
import { foldOrder } from "../load/fold-order.ts";
import {
  isIn,
  listAs,
  optionalStatement,
  payloadHas,
  statement,
  unindexed,
} from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import type { PastEvents } from "../types/events.ts";
import { ACTIVITY, eventStatement, inFeed, VISIBLE } from "./statements.ts";

export function pastEvents(connection: Connection): PastEvents {
  return {
    ofIssues: async (uids, through) => {
      if (uids.length === 0) return [];
      const found = await ofIssues.all(connection, { uids, through });
      // An event that mentions two of the issues is found twice, so drop the second.
      return found.filter(({ id }, at) => id !== found[at - 1]?.id);
    },
    mentioning: async (uids, through) =>
      uids.length === 0 ? [] : await mentioning.all(connection, { uids, through }),
    creating: async (uids, through) =>
      uids.length === 0 ? [] : await creating.all(connection, { uids, through }),
    ofSeries: async (uids, through) => {
      if (uids.length === 0) return [];
      const found = await ofSeries.all(connection, { uids, through });
      return found.filter((event) =>
        (touches(event).rows?.recurrence ?? []).some((uid) => uids.includes(uid)),
      );
    },
    ofProjects: async (through) => await ofProjects.all(connection, { through }),
    order: async (through) => await foldOrder(connection, through),
    lastAt: async (at) => await lastAt.one(connection, { at }),
    lastUpTo: async (id) => await lastUpTo.one(connection, { id }),
    by: async (actor, { since, until, project_uid }, limit) => {
      const found = await by.all(connection, { actor, since, until, project_uid, limit });
      return found.toSorted((left, right) => left.id - right.id);
    },
    timeOf: async (actor, { since, until, project_uid }, skipped) =>
      (await timeOf.one(connection, { actor, since, until, project_uid, skipped }))?.created_at,
    purgesBy: async (actor, { since, until, project_uid }) =>
      await purges.all(connection, { actor, since, until, project_uid }),
    purgeOf: async (uid) => await purgeOf.one(connection, { uid }),
  };
}

const ofIssues = eventStatement((db, p: { uids: readonly string[]; through: number }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .where("id", "<=", p.through)
    .unionAll((more) =>
      more
        .selectFrom("event")
        .selectAll()
        .where(({ ref }) => isIn(dialect, ref("related_issue_uid"), p.uids))
        .where("id", "<=", p.through),
    )
    .orderBy("id"),
);

const mentioning = eventStatement((db, p: { uids: readonly string[]; through: number }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("event_mention")
        .select("event_id")
        .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
        .where("event_id", "<=", p.through),
    )
    .orderBy("id"),
);

/**
 * Selects the events that create the issues or move them. A snapshot creates an issue too. A move changes the project
 * of the issue, and the project decides whether a link belongs to the issue. `unindexed` keeps SQLite from reading the
 * creations of all issues.
 */
const creating = eventStatement((db, p: { uids: readonly string[]; through: number }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .where(
      sql<boolean>`${unindexed(dialect, "type")} in ('issue.created', 'issue.snapshot', 'issue.moved')`,
    )
    .where("id", "<=", p.through),
);

/**
 * Kinds of events that are about no single issue but are needed to fold the events of an issue: changes of projects,
 * rewrites of an actor's name, and the creation of a series.
 */
const PROJECT_WIDE = [
  "project.created",
  "project.renamed",
  "project.removed",
  "project.restored",
  "project.merged",
  "project.author_rewritten",
  "recurrence.created",
] as const satisfies readonly EventKind[];

const ofProjects = eventStatement((db, p: { through: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(
      "type",
      "in",
      PROJECT_WIDE.map((type) => sql.lit(type)),
    )
    .where("id", "<=", p.through)
    .orderBy("id"),
);

const SERIES_KINDS = [
  "recurrence.updated",
  "recurrence.deleted",
  "recurrence.materialized",
  "recurrence.materialization_skipped",
] as const satisfies readonly EventKind[];

/** Events whose payload contains the uid of one of the series, in any field. */
const ofSeries = eventStatement((db, p: { uids: readonly string[]; through: number }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(
      "type",
      "in",
      SERIES_KINDS.map((type) => sql.lit(type)),
    )
    .where("id", "<=", p.through)
    .where(
      sql<boolean>`exists (select 1 from ${listAs(dialect, p.uids, "series")} where ${payloadHas(dialect, sql.ref("series.value"))})`,
    )
    .orderBy("id"),
);

const lastUpTo = statement((db, p: { id: number }) =>
  db
    .selectFrom("event")
    .select(["id", "created_at"])
    .where("id", "<=", p.id)
    .where(VISIBLE)
    .orderBy("id", "desc")
    .limit(1),
);

const lastAt = statement((db, p: { at: string }) =>
  db
    .selectFrom("event")
    .select(["id", "created_at"])
    .where("created_at", "<=", p.at)
    .where(VISIBLE)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

interface Span {
  readonly actor: string;
  readonly since: string;
  readonly until: string;
  readonly project_uid: string | undefined;
}

/**
 * Selects the events of a writer (`domain/federation/bound-actor.ts`) by two queries. Each query reads a range of one
 * index in the order of time. Skipped events are left out, since they change nothing.
 */
const written = (db: Kysely<Tables>, p: Span, dialect: Dialect, of: "actor" | "local_actor") => {
  const query = db
    .selectFrom("event")
    .where(of, "=", p.actor)
    .where("created_at", ">=", p.since)
    .where("created_at", "<=", p.until)
    .where("skipped_at", "is", null)
    .where(ACTIVITY);
  const own =
    of === "actor"
      ? query.where(sql<boolean>`${unindexed(dialect, "local_actor")} is null`)
      : query;
  return p.project_uid === undefined ? own : own.where(inFeed(dialect, p.project_uid));
};

const by = eventStatement(
  (db, p: Span & { readonly limit: number }, dialect) =>
    written(db, p, dialect, "actor")
      .selectAll()
      .unionAll(written(db, p, dialect, "local_actor").selectAll())
      .orderBy("created_at")
      .orderBy("id")
      .limit(p.limit),
  ["project_uid"],
);

const timeOf = optionalStatement(
  ["project_uid"],
  (db, p: Span & { readonly skipped: number }, dialect) =>
    written(db, p, dialect, "actor")
      .select("created_at")
      .unionAll(written(db, p, dialect, "local_actor").select("created_at"))
      .orderBy("created_at", "desc")
      .limit(1)
      .offset(p.skipped),
);

const purgeOf = statement((db, p: { uid: string }) =>
  db
    .selectFrom("purge_log")
    .select(["project_name", "short_id", "purged_at", "actor"])
    .where("issue_uid", "=", p.uid),
);

const purges = optionalStatement(["project_uid"], (db, p: Span) => {
  const purgesWithin = (table: "purge_log" | "project_purge_log") =>
    db
      .selectFrom(table)
      .select(["project_name", "purged_at"])
      .where("actor", "=", p.actor)
      .where("purged_at", ">=", p.since)
      .where("purged_at", "<=", p.until);
  const issues = purgesWithin("purge_log").select(sql<string | null>`short_id`.as("short_id"));
  const query =
    p.project_uid === undefined
      ? issues.unionAll(
          purgesWithin("project_purge_log").select(
            sql<string | null>`cast(null as text)`.as("short_id"),
          ),
        )
      : issues.where("project_uid", "=", p.project_uid);
  return query.orderBy("purged_at");
});
