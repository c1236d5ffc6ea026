import { sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import { compareTake, TAKE_ORDER, UNPRIORITISED_RANK } from "../../contract/take-order.ts";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { issueOf, PROJECT_COLUMNS, type SelectedIssue } from "../rows/rows.ts";
import type { Selected } from "../schema.ts";
import type { TakeFilter } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import { childrenOf, issuesIn, labelFilters, unleased } from "./filters.ts";

/**
 * Returns the ready issue to take first: highest priority, then last changed. Only issues without an owner and issues
 * of `filter.owner` can be taken. A partial index holds the issues without an owner in this order. The index includes
 * leased issues. They are few and are excluded by uid.
 */
export async function takeableIssue(
  connection: Connection,
  filter: TakeFilter,
  now: Instant,
): Promise<StoredIssue | undefined> {
  const free = await firstTakeable(connection, filter, now, undefined);
  if (filter.owner === undefined) return free;
  const own = await firstTakeable(connection, filter, now, filter.owner);
  if (free === undefined || own === undefined) return free ?? own;
  return compareTake(own, free) < 0 ? own : free;
}

/** SQL that computes the same as `takeRank`. The number is a literal, because the index is on the same expression. */
const RANK = sql<number>`coalesce(i.priority, ${sql.lit(UNPRIORITISED_RANK)})`;

const COLUMNS = { rank: RANK, updated_at: sql.ref("i.updated_at"), id: sql.ref("i.id") } as const;

async function firstTakeable(
  connection: Connection,
  filter: TakeFilter,
  now: Instant,
  owner: string | undefined,
): Promise<StoredIssue | undefined> {
  const { project_uid, labels = [], exclude_labels = [], containers } = filter;
  const { not_projects = [], not_issues = [] } = filter;
  let query = builder(connection.dialect)
    .selectFrom(takeableIssues(connection.dialect, filter, owner))
    // Every issue has a project. The left join only keeps SQLite from scanning projects first and sorting.
    .leftJoin("project as p", "p.uid", "i.project_uid")
    .selectAll("i")
    .select(PROJECT_COLUMNS)
    .where("i.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .where("i.status", "=", sql.lit("open"))
    .where("i.open_blockers", "=", sql.lit(0))
    .where("i.parked", "=", sql.lit(0))
    .where("i.held", "=", sql.lit(0))
    .where(({ or, eb }) => or([eb("i.ready_from", "is", null), eb("i.ready_from", "<=", now)]))
    .where("i.owner", owner === undefined ? "is" : "=", owner ?? null)
    .where(labelFilters("i.uid", labels, exclude_labels))
    .where(unleased("i.uid", now));
  if (project_uid !== undefined) query = query.where("i.project_uid", "=", project_uid);
  if (not_projects.length > 0) query = query.where("i.project_uid", "not in", not_projects);
  if (not_issues.length > 0) query = query.where("i.uid", "not in", not_issues);
  if (!containers) query = query.where("i.open_children", "=", sql.lit(0));
  for (const { key, direction } of TAKE_ORDER) query = query.orderBy(COLUMNS[key], direction);
  const [row] = await all(connection, query.limit(1));
  return row === undefined ? undefined : issueOf(row as SelectedIssue);
}

/**
 * Names the index for SQLite. SQLite expects that few issues have no owner, and would otherwise read and sort all of
 * these issues.
 */
function takeableIssues(
  dialect: Dialect,
  { project_uid, parent_uid }: TakeFilter,
  owner: string | undefined,
) {
  if (parent_uid !== undefined) return issuesIn(childrenOf(parent_uid)).as<"i">(sql`i`);
  const index = project_uid === undefined ? sql`issue_take_all` : sql`issue_take`;
  const isNamed = dialect === "sqlite" && owner === undefined;
  return sql<Selected<"issue">>`issue`.as<"i">(isNamed ? sql`i indexed by ${index}` : sql`i`);
}
