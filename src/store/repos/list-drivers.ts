import { sql } from "kysely";
import { type Connection, rowsOf } from "../connection.ts";
import { indexed } from "../rows/meta-key.ts";
import type { ListOrder, PageFilter } from "../types/issues.ts";
import { childrenOf, type Driver, datedUids } from "./filters.ts";

/**
 * If at most this many issues satisfy one condition of a filter, a list fetches these issues and sorts them. Otherwise
 * the list scans the index of its order, newest first, and stops at its limit. For a filter that few issues satisfy,
 * this scan would be long. So each condition that has an index of its own is counted first, up to this number.
 */
const FEW_ISSUES = 2000;

/** Returns the first condition that at most `FEW_ISSUES` issues satisfy, or `undefined`. */
export async function fewest(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<Driver | undefined> {
  for (const driver of driversOf(filter, order)) {
    const counted = sql`select count(*) as count from (select 1 as one from (${driver}) as few limit ${sql.lit(FEW_ISSUES + 1)}) as counted`;
    const rows = await rowsOf<{ count: number }>(connection, counted);
    if ((rows[0]?.count ?? 0) <= FEW_ISSUES) return driver;
  }
  return undefined;
}

/** Returns the conditions that few issues may satisfy, in the order in which they are counted. */
function driversOf(filter: PageFilter, order: ListOrder): readonly Driver[] {
  const { labels = [], meta = [], owner, unowned, priority, max_priority, project_uid } = filter;
  const { status, uids, parent_uid, author, blocked, changed_since } = filter;
  const { owners, any_labels, dated } = filter;
  if (uids !== undefined) return [sql`select uid from issue where uid in (${sql.join(uids)})`];
  const found: Driver[] = parent_uid === undefined ? [] : [childrenOf(parent_uid)];
  for (const { key, value } of meta) {
    const same = value === undefined ? sql`` : sql`and value = ${indexed(value)}`;
    found.push(sql`select issue_uid as uid from issue_meta where key = ${indexed(key)} ${same}`);
  }
  for (const label of labels) {
    found.push(sql`select issue_uid as uid from label where label = ${label}`);
  }
  if (any_labels !== undefined)
    found.push(
      sql`select distinct issue_uid as uid from label where label in (${sql.join(any_labels)})`,
    );
  if (dated !== undefined) found.push(sql`select distinct uid from (${datedUids(dated)}) as dates`);
  const inProject = project_uid === undefined ? sql`` : sql`and project_uid = ${project_uid}`;
  const ofStatus = status === undefined ? sql`` : sql`and status = ${sql.lit(status)}`;
  const uidsWhere = (condition: Driver): Driver =>
    sql`select uid from issue where deleted_at is null and ${condition} ${inProject} ${ofStatus}`;
  if (owner !== undefined) found.push(uidsWhere(sql`owner = ${owner}`));
  if (owners !== undefined) found.push(uidsWhere(sql`owner in (${sql.join(owners)})`));
  if (author !== undefined) found.push(uidsWhere(sql`author = ${author}`));
  if (blocked === true) found.push(uidsWhere(sql`open_blockers > 0`));
  if (unowned === true) found.push(uidsWhere(sql`owner is null`));
  // Count no condition for `null` (issues without a priority), since no index finds these issues.
  if (typeof priority === "number") found.push(uidsWhere(sql`priority = ${priority}`));
  if (max_priority !== undefined) found.push(uidsWhere(sql`priority <= ${max_priority}`));
  // In the order `recent`, the scan begins with the issues that changed last, so `changed_since` need not be counted.
  if (order === "created" && changed_since !== undefined) found.push(changedSince(filter));
  // The order `created` has one index for all projects, so the issues of the project are counted too.
  if (order === "created" && project_uid !== undefined) found.push(uidsWhere(sql`1 = 1`));
  return found;
}

function changedSince({ project_uid, status, changed_since }: PageFilter): Driver {
  const ofProject = project_uid === undefined ? sql`` : sql`and p.uid = ${project_uid}`;
  const statuses = status === undefined ? sql`'open', 'closed'` : sql.lit(status);
  return sql`select i.uid from project as p cross join issue as i where i.project_uid = p.uid
    and i.deleted_at is null and i.status in (${statuses}) and i.updated_at >= ${changed_since} ${ofProject}`;
}
