import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import { optionalStatement, rowsWith, statement } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { RunGroup, RunGrouping, Runs } from "../types/schedules.ts";

const runOf = (row: Selected<"cron_runs">) => parsed("cron_runs", row);

export function runs(connection: Connection): Runs {
  return {
    find: async (uid) => await byUid.one(connection, { uid }),
    list: async (project_uid, { job_uid, before, limit }) => {
      const { created_at = END, uid = END } = before ?? {};
      return await newest.all(connection, { project_uid, job_uid, created_at, uid, limit });
    },
    running: async (project_uid, limit) => await running.all(connection, { project_uid, limit }),
    report: async (project_uid, by, { since = "", until = END, issue_uid }) =>
      await REPORTS[by].all(connection, { project_uid, since, until, issue_uid }),
  };
}

/** Sorts after every instant, uid and day. */
const END = "~";

const byUid = rowsWith("cron_runs", ["uid"]).map(runOf);

interface Page {
  readonly project_uid: string;
  readonly job_uid: string | undefined;
  readonly created_at: string;
  readonly uid: string;
  readonly limit: number;
}

const page = optionalStatement(["job_uid"], (db, p: Page) => {
  const query = db
    .selectFrom("cron_runs")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .where(sql<boolean>`(created_at, uid) < (${p.created_at}, ${p.uid})`)
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .limit(sql<number>`${p.limit}`);
  return p.job_uid === undefined ? query : query.where("job_uid", "=", p.job_uid);
});
const newest = page.map(runOf);

const running = statement((db, p: { project_uid: string; limit: number }) =>
  db
    .selectFrom("cron_runs")
    .selectAll()
    .where("project_uid", "=", p.project_uid)
    .where("status", "=", sql.lit("running"))
    .orderBy("created_at")
    .orderBy("uid")
    .limit(sql<number>`${p.limit}`),
).map(runOf);

interface Span {
  readonly project_uid: string;
  readonly since: string;
  readonly until: string;
  readonly issue_uid: string | undefined;
}

/**
 * Sums the runs for each value of the key, from a covering index. For issue, job, actor, day and workflow the index has
 * the order of the key, so nothing is sorted. Teammate and executor use the index of workflow.
 */
function sumsBy(
  key: "issue_uid" | "job_uid" | "actor" | "day" | "workflow_uid" | "teammate" | "executor_label",
) {
  return optionalStatement(["issue_uid"], (db, p: Span) => {
    const query = db
      .selectFrom("cron_runs")
      .select([`${key} as key`, ...SUMS])
      .where("project_uid", "=", p.project_uid)
      .where(withinSpan(p, key === "day" && p.issue_uid === undefined))
      .groupBy(key)
      .$castTo<RunGroup>();
    return p.issue_uid === undefined ? query : query.where("issue_uid", "=", p.issue_uid);
  });
}

/**
 * SQL: the day is in the span. Only the grouping by day uses the index of days. `coalesce` keeps other groupings from
 * using it, since the database would then have to sort the runs by group.
 */
function withinSpan({ since, until }: Span, seek: boolean) {
  const day = seek ? sql.ref("day") : sql`coalesce(day, '')`;
  return sql<boolean>`${day} >= ${since} and ${day} <= ${until}`;
}

const sumOf = (column: "input_tokens" | "output_tokens" | "duration_ms") =>
  sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column);
const count = (status: string) =>
  sql<number>`count(case when status = ${sql.lit(status)} then 1 end)`.as(status);

const SUMS = [
  sql<number>`count(*)`.as("runs"),
  count("succeeded"),
  count("failed"),
  sumOf("input_tokens"),
  sumOf("output_tokens"),
  sumOf("duration_ms"),
] as const;

/** Groups the runs by issue before it joins the parents, because there are far fewer issues than runs. */
const byParent = optionalStatement(["issue_uid"], (db, p: Span) =>
  db
    .selectFrom((inner) => {
      const query = inner
        .selectFrom("cron_runs")
        .select(["issue_uid", ...SUMS])
        .where("project_uid", "=", p.project_uid)
        .where(withinSpan(p, false))
        .groupBy("issue_uid");
      const { issue_uid } = p;
      return (issue_uid === undefined ? query : query.where("issue_uid", "=", issue_uid)).as("r");
    })
    .leftJoin("link as l", (join) =>
      join.onRef("l.from_uid", "=", "r.issue_uid").on("l.type", "=", "parent"),
    )
    .select([
      "l.to_uid as key",
      ...(
        ["runs", "succeeded", "failed", "input_tokens", "output_tokens", "duration_ms"] as const
      ).map((column) => sql<number>`cast(sum(${sql.ref(`r.${column}`)}) as bigint)`.as(column)),
    ])
    .groupBy("l.to_uid")
    .$castTo<RunGroup>(),
);

const REPORTS = {
  issue: sumsBy("issue_uid"),
  parent: byParent,
  job: sumsBy("job_uid"),
  actor: sumsBy("actor"),
  day: sumsBy("day"),
  workflow: sumsBy("workflow_uid"),
  teammate: sumsBy("teammate"),
  executor: sumsBy("executor_label"),
} as const satisfies Record<RunGrouping, unknown>;
