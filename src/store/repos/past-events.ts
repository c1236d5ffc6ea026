import { type Kysely, sql } from "kysely";
import type { EventKind } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Connection } from "../connection.ts";
import type { PastEvents, Purged } from "../event-types.ts";
import { eventOf } from "../rows.ts";
import type { Tables } from "../schema.ts";
import { isIn, statement } from "../statement.ts";

/** The parts of the log from which `ops/past/` computes earlier states of issues. */
export function pastEvents(connection: Connection): PastEvents {
  return {
    ofIssues: async (uids, through) => {
      if (uids.length === 0) return [];
      const rows = await ofIssues.all(connection, { uids, through });
      // An event that mentions two of the issues is found twice.
      return rows.filter(({ id }, at) => id !== rows[at - 1]?.id).map(eventOf);
    },
    mentioning: async (uids, through) => {
      if (uids.length === 0) return [];
      return (await mentioning.all(connection, { uids, through })).map(eventOf);
    },
    ofSeries: async (uids, through) => {
      if (uids.length === 0) return [];
      const events = (await ofSeries.all(connection, { uids, through })).map(eventOf);
      return events.filter((event) =>
        (touches(event).rows?.recurrence ?? []).some((uid) => uids.includes(uid)),
      );
    },
    ofProjects: async (through) => (await ofKinds.all(connection, { through })).map(eventOf),
    lastAt: async (at) => await lastAt.one(connection, { at }),
    lastUpTo: async (id) => await lastUpTo.one(connection, { id }),
    by: async (actor, { since, until, project_uid }, limit) => {
      const span = { actor, since, until, limit };
      const rows =
        project_uid === undefined
          ? await by.all(connection, span)
          : await byInProject.all(connection, { ...span, project_uid });
      return rows.map(eventOf).sort((left, right) => left.id - right.id);
    },
    timeOf: async (actor, { since, until, project_uid }, skipped) => {
      const span = { actor, since, until, skipped };
      const row =
        project_uid === undefined
          ? await timeOf.one(connection, span)
          : await timeInProject.one(connection, { ...span, project_uid });
      return row?.created_at;
    },
    purgesBy: async (actor, { since, until, project_uid }) =>
      project_uid === undefined
        ? await purges.all(connection, { actor, since, until })
        : await purgesIn.all(connection, { actor, since, until, project_uid }),
  };
}

const ofIssues = statement((db, p: { uids: readonly string[]; through: number }, dialect) =>
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

const mentioning = statement((db, p: { uids: readonly string[]; through: number }, dialect) =>
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

/** Kinds of events that change projects, rewrite names in them, or create a series. */
const OF_PROJECTS = [
  "project.created",
  "project.renamed",
  "project.removed",
  "project.restored",
  "project.merged",
  "project.author_rewritten",
  "recurrence.created",
] as const satisfies readonly EventKind[];

const ofKinds = statement((db, p: { through: number }) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(
      "type",
      "in",
      [...OF_PROJECTS].map((type) => sql.lit(type)),
    )
    .where("id", "<=", p.through)
    .orderBy("id"),
);

const OF_SERIES = [
  "recurrence.updated",
  "recurrence.deleted",
  "recurrence.materialized",
  "recurrence.materialization_skipped",
] as const satisfies readonly EventKind[];

/** Events whose payload contains the uid of one of the series, in any field. */
const ofSeries = statement((db, p: { uids: readonly string[]; through: number }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where(
      "type",
      "in",
      [...OF_SERIES].map((type) => sql.lit(type)),
    )
    .where("id", "<=", p.through)
    .where(
      dialect === "sqlite"
        ? sql<boolean>`exists (select 1 from json_each(${p.uids}) where instr(payload, value) > 0)`
        : sql<boolean>`exists (select 1 from unnest(${p.uids}::text[]) as series where strpos(payload, series) > 0)`,
    )
    .orderBy("id"),
);

const lastUpTo = statement((db, p: { id: number }) =>
  db
    .selectFrom("event")
    .select(["id", "created_at"])
    .where("id", "<=", p.id)
    .orderBy("id", "desc")
    .limit(1),
);

const lastAt = statement((db, p: { at: string }) =>
  db
    .selectFrom("event")
    .select(["id", "created_at"])
    .where("created_at", "<=", p.at)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

interface Span {
  readonly actor: string;
  readonly since: string;
  readonly until: string;
  readonly limit: number;
}

const by = statement((db, p: Span) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("actor", "=", p.actor)
    .where("created_at", ">=", p.since)
    .where("created_at", "<=", p.until)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

const byInProject = statement((db, p: Span & { readonly project_uid: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("actor", "=", p.actor)
    .where("created_at", ">=", p.since)
    .where("created_at", "<=", p.until)
    .where(
      dialect === "sqlite"
        ? sql<boolean>`+feed_uid = ${p.project_uid}`
        : sql<boolean>`feed_uid = ${p.project_uid}`,
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

interface Skipping extends Omit<Span, "limit"> {
  readonly skipped: number;
}

const timesOf = (db: Kysely<Tables>, p: Skipping) =>
  db
    .selectFrom("event")
    .select("created_at")
    .where("actor", "=", p.actor)
    .where("created_at", ">=", p.since)
    .where("created_at", "<=", p.until)
    .orderBy("created_at", "desc")
    .limit(1)
    .offset(p.skipped);

const timeOf = statement((db, p: Skipping) => timesOf(db, p));

const timeInProject = statement((db, p: Skipping & { readonly project_uid: string }, dialect) =>
  timesOf(db, p).where(
    dialect === "sqlite"
      ? sql<boolean>`+feed_uid = ${p.project_uid}`
      : sql<boolean>`feed_uid = ${p.project_uid}`,
  ),
);

type PurgeSpan = Omit<Span, "limit">;

const purgesOf = (db: Kysely<Tables>, p: PurgeSpan) =>
  db
    .selectFrom("purge_log")
    .select(["project_name", "short_id", "purged_at"])
    .where("actor", "=", p.actor)
    .where("purged_at", ">=", p.since)
    .where("purged_at", "<=", p.until);

const purges = statement((db, p: PurgeSpan) =>
  purgesOf(db, p)
    .$castTo<Purged>()
    .unionAll(
      db
        .selectFrom("project_purge_log")
        .select([
          "project_name",
          sql<string | null>`cast(null as text)`.as("short_id"),
          "purged_at",
        ])
        .where("actor", "=", p.actor)
        .where("purged_at", ">=", p.since)
        .where("purged_at", "<=", p.until),
    )
    .orderBy("purged_at"),
);

const purgesIn = statement((db, p: PurgeSpan & { readonly project_uid: string }) =>
  purgesOf(db, p).$castTo<Purged>().where("project_uid", "=", p.project_uid).orderBy("purged_at"),
);
