import { sql } from "kysely";
import type { EventKind } from "../../contract/events.ts";
import type { SlotWrite } from "../../domain/inbox/request.ts";
import type { Connection, Dialect } from "../connection.ts";
import { indexed } from "../rows/meta-key.ts";
import { isIn, listAs, payloadHas, statement, unindexed } from "../rows/statement.ts";
import type { Inbox, InboxPlace } from "../types/work.ts";
import { eventStatement, NOT_SKIPPED, VISIBLE } from "./statements.ts";

export function inbox(connection: Connection): Inbox {
  return {
    lastNaming: async (uids, key) =>
      (await lastNaming.all(connection, { uids, name: nameOf(key) })) as readonly SlotWrite[],
    naming: async (uid, key) =>
      (await naming.all(connection, { uid, name: nameOf(key) })) as readonly SlotWrite[],
    lastBy: async (lookups) => {
      const rows = lookups.map(({ issue_uid, actor, text, before }) =>
        JSON.stringify([issue_uid, actor, JSON.stringify(text), before]),
      );
      return (await lastBy.all(connection, { rows })) as readonly SlotWrite[];
    },
    dated: async (key, until, { value, issue_uid }, limit) => {
      const span = { key: indexed(key), until: indexed(until), value: indexed(value), issue_uid };
      return (await dated.all(connection, { ...span, limit })).map(placeOf);
    },
    nextKey: async (prefix, after) => {
      // `\u007f` sorts after every character that a key may contain.
      const range = { from: indexed(after ?? prefix), to: indexed(`${prefix}\u007f`) };
      const found = await nextKey.one(connection, range);
      return found?.key?.slice(1);
    },
    holding: async (key, after, limit) =>
      (await holding.all(connection, { key: indexed(key), after, limit })).map(placeOf),
    touchedAfter: async (after, limit) => await touched.all(connection, { after, limit }),
  };
}

/**
 * Returns the key as it appears in the JSON of a payload. This text may also occur outside the metadata, so the caller
 * checks each event.
 */
function nameOf(key: string): string {
  return `${JSON.stringify(key)}:`;
}

/**
 * SQL: the event may write the named metadata key. `unindexed` keeps SQLite from using the index by type, because it
 * would then read every event of these kinds.
 */
const writesSlot = (dialect: Dialect, name: unknown) =>
  sql<boolean>`${unindexed(dialect, "type")} in ('issue.created', 'issue.metadata_updated') and ${NOT_SKIPPED} and ${payloadHas(dialect, name)}`;

const lastNaming = eventStatement((db, p: { uids: readonly string[]; name: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("event")
        .select(({ fn }) => fn.max("id").as("id"))
        .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
        .where(writesSlot(dialect, p.name))
        .groupBy("issue_uid"),
    ),
);

const naming = eventStatement((db, p: { uid: string; name: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("issue_uid", "=", p.uid)
    .where(writesSlot(dialect, p.name))
    .orderBy("id", "desc"),
);

/**
 * Finds the last event for each element of `rows`. An element is a JSON list of the values of one lookup: issue, actor,
 * text in the payload, and the event id before which to search.
 */
const lastBy = eventStatement((db, p: { rows: readonly string[] }, dialect) => {
  const row = dialect === "sqlite" ? sql`asked.value` : sql`asked.value::json`;
  const last = sql`(select max(id) from event
    where issue_uid = ${row} ->> 0 and ${unindexed(dialect, "actor")} = ${row} ->> 1
      and ${writesSlot(dialect, sql`(${row} ->> 2)`)} and id < cast(${row} ->> 3 as bigint))`;
  return db
    .selectFrom("event")
    .selectAll()
    .where("id", "in", sql<number>`(select ${last} from ${listAs(dialect, p.rows, "asked")})`);
});

interface SlotRow {
  readonly issue_uid: string;
  readonly value: string | null;
  readonly status: string;
  readonly deleted_at: string | null;
  readonly archived_at: string | null;
}

function placeOf({ issue_uid, value, status, deleted_at, archived_at }: SlotRow): InboxPlace {
  const open = status === "open" && deleted_at === null && archived_at === null;
  return { issue_uid, value: value === null ? "" : value.slice(1), open };
}

interface DatesWanted {
  readonly key: string;
  readonly until: string;
  readonly value: string;
  readonly issue_uid: string;
  readonly limit: number;
}

/**
 * Applies the limit before it joins the issues, so that a page is read quickly even if most of its issues are closed.
 */
const dated = statement((db, p: DatesWanted) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("issue_meta")
        .select(["issue_uid", "value"])
        .where("key", "=", p.key)
        .where("value", "<=", p.until)
        .where(sql<boolean>`(value, issue_uid) > (${p.value}, ${p.issue_uid})`)
        .orderBy("value")
        .orderBy("issue_uid")
        .limit(sql<number>`${p.limit}`)
        .as("m"),
    )
    .innerJoin("issue as i", "i.uid", "m.issue_uid")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .select(["m.issue_uid", "m.value", "i.status", "i.deleted_at", "p.deleted_at as archived_at"])
    .orderBy("m.value")
    .orderBy("m.issue_uid"),
);

const nextKey = statement((db, p: { from: string; to: string }) =>
  db
    .selectFrom("issue_meta")
    .select(({ fn }) => fn.min("key").as("key"))
    .where("key", ">", p.from)
    .where("key", "<", p.to),
);

/** Finds issues with an object under the key: the index contains null for every value that is not a string. */
const holding = statement((db, p: { key: string; after: string; limit: number }) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("issue_meta")
        .select(["issue_uid", "value"])
        .where("key", "=", p.key)
        .where("value", "is", null)
        .where("issue_uid", ">", p.after)
        .orderBy("issue_uid")
        .limit(sql<number>`${p.limit}`)
        .as("m"),
    )
    .innerJoin("issue as i", "i.uid", "m.issue_uid")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .select(["m.issue_uid", "m.value", "i.status", "i.deleted_at", "p.deleted_at as archived_at"])
    .orderBy("m.issue_uid"),
);

/**
 * Kinds of events that `touched` skips, because an event of the issue records the same change. A change of a series'
 * zone has no such event, so its kind is not in this list.
 */
const SERIES_KINDS = [
  "recurrence.created",
  "recurrence.materialized",
  "recurrence.materialization_skipped",
  "recurrence.deleted",
] as const satisfies readonly EventKind[];

const touched = statement((db, p: { after: number; limit: number }) =>
  db
    .selectFrom("event")
    .select(["id", "issue_uid"])
    .where("id", ">", p.after)
    .where(
      "type",
      "not in",
      SERIES_KINDS.map((type) => sql.lit(type)),
    )
    .where(VISIBLE)
    .orderBy("id")
    .limit(p.limit),
);
