import { type RawBuilder, sql } from "kysely";
import { READ_PAYLOADS } from "../../domain/digest.ts";
import type { Dialect } from "../connection.ts";
import { payloadOf } from "../rows/rows.ts";
import { optionalStatement } from "../rows/statement.ts";
import type { Activity } from "../types/events.ts";
import { ACTIVITY, inFeed, NOT_SKIPPED } from "./statements.ts";

interface Span {
  readonly since: string;
  readonly id: number;
  readonly until: string;
  readonly limit: number;
  readonly project_uid: string | undefined;
  readonly actor: string | undefined;
}

/** Selects the activity of a span after an event, sorted by time. */
export const activityDuring = optionalStatement(
  ["project_uid", "actor"],
  (db, p: Span, dialect) => {
    let query = db
      .selectFrom("event")
      .select(["id", "created_at", "type", "actor", "feed_uid", "issue_uid"])
      .select([
        ofCreated(lengthOf("labels", dialect)).as("labels"),
        ofCreated(lengthOf("links", dialect)).as("links"),
        ofCreated(sql`case when ${payloadIn(dialect)} -> 'owner' is null then 0 else 1 end`).as(
          "owners",
        ),
        sql<string | null>`case when type in (${PAYLOAD_KINDS}) then payload end`.as("payload"),
      ])
      .where(sql<boolean>`(created_at, id) > (${p.since}, ${p.id})`)
      .where("created_at", "<=", p.until)
      .where(ACTIVITY)
      .where(NOT_SKIPPED)
      .orderBy("created_at")
      .orderBy("id")
      .limit(p.limit);
    if (p.actor !== undefined) query = query.where("actor", "=", p.actor);
    return p.project_uid === undefined ? query : query.where(inFeed(dialect, p.project_uid));
  },
).map(activityOf);

const PAYLOAD_KINDS = sql.join(READ_PAYLOADS.map((kind) => sql.lit(kind)));

function ofCreated(value: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`case when type = 'issue.created' then ${value} end`;
}

function lengthOf(list: string, dialect: Dialect): RawBuilder<unknown> {
  return dialect === "sqlite"
    ? sql`coalesce(json_array_length(payload, ${sql.lit(`$.${list}`)}), 0)`
    : sql`coalesce(json_array_length(payload::json -> ${sql.lit(list)}), 0)`;
}

function payloadIn(dialect: Dialect): RawBuilder<unknown> {
  return dialect === "sqlite" ? sql`payload` : sql`payload::json`;
}

interface Row extends Omit<Activity, "type"> {
  readonly type: string;
  readonly labels: number | null;
  readonly links: number | null;
  readonly owners: number | null;
  readonly payload: string | null;
}

/** Does not validate the type and the payload, since only svc writes the log. */
function activityOf({ labels, links, owners, payload, ...event }: Row): Activity {
  return {
    ...event,
    ...(labels === null ? {} : { began: { labels, links, owners } }),
    ...(payload === null ? {} : { payload: payloadOf(payload) }),
  } as Activity;
}
