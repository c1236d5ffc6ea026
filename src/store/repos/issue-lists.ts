import { type SqlBool, sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import { all, builder, type Connection, type Dialect, rowsOf } from "../connection.ts";
import { indexed } from "../meta-key.ts";
import { issueOf, PROJECT_COLUMNS, type SelectedIssue } from "../rows.ts";
import type { Selected } from "../schema.ts";
import { isIn, unindexed } from "../statement.ts";
import type { ListOrder, PageFilter } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import {
  childrenOf,
  containsText,
  type Driver,
  datedUids,
  isChild,
  isRelated,
  issuesIn,
  labelFilters,
  lookedUp,
  unleased,
} from "./filters.ts";
import {
  COLUMNS,
  isAfter,
  isReady,
  listScan,
  OF_ALL,
  readyScan,
  type ScanWindow,
  scanned,
} from "./list-scan.ts";

/**
 * The issue lists. A list scans the index of its order, newest first, and stops at its limit. A filter that few
 * issues match would make that scan long, so each filter with an index of its own is counted first, up to this bound;
 * when at most this many issues match, they are fetched and sorted instead. Neither way depends on the size of the
 * table.
 */
const FEW = 2000;

export async function listIssues(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<readonly StoredIssue[]> {
  const rows = await listed(filter, order, connection, async (query) => {
    const found = await all(connection, query.selectAll("i").select(PROJECT_COLUMNS));
    return found as readonly SelectedIssue[];
  });
  return rows.map(issueOf);
}

/** The local ids of the issues that satisfy the filter, newest first; undefined if more than `FEW` may satisfy it. */
export async function idsOfFew(
  connection: Connection,
  filter: PageFilter,
): Promise<readonly number[] | undefined> {
  const driver = await fewest(connection, filter, "created");
  if (driver === undefined) return undefined;
  const query = withStatus(filtered(connection.dialect, filter, driver), filter);
  const rows = await all(connection, query.select("i.id").orderBy("i.id", "desc"));
  return rows.map(({ id }) => id);
}

/** Those of the local ids whose issues satisfy the filter. */
export async function idsAmong(
  connection: Connection,
  filter: PageFilter,
  ids: readonly number[],
  options: { readonly deletedToo: boolean },
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { dialect } = connection;
  const query = withStatus(filtered(dialect, filter, undefined, options), filter);
  const among = query.where(({ ref }) => isIn(dialect, ref("i.id"), ids, "bigint"));
  return new Set((await all(connection, among.select("i.id"))).map(({ id }) => id));
}

/** Size in bytes of the body and the metadata of each issue of the list, without reading the texts. */
export async function listSizes(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<readonly number[]> {
  const rows = await listed(filter, order, connection, async (query) => {
    const found = await all(connection, query.select(["i.id", "i.updated_at"]).select(SIZE));
    return found as readonly Sized[];
  });
  return rows.map(({ size }) => size);
}

/** SQLite computes `octet_length` from the header of the row, without reading the text. */
const SIZE = sql<number>`octet_length(i.body) + octet_length(i.metadata)`.as("size");

interface Placed {
  readonly id: number;
  readonly updated_at: Instant;
}

interface Sized extends Placed {
  readonly size: number;
}

async function listed<O extends Placed>(
  filter: PageFilter,
  order: ListOrder,
  connection: Connection,
  run: (query: Query) => Promise<readonly O[]>,
): Promise<readonly O[]> {
  if (filter.uids?.length === 0) return [];
  const driver = await fewest(connection, filter, order);
  const { status, limit, changed_since } = filter;
  const isPart = limit !== undefined || changed_since !== undefined;
  const rowsOf = async (only: PageFilter) => {
    const query = listQuery(connection.dialect, only, order, driver);
    const scan = { filter: only, order, where: listScan(only, order) };
    if (driver !== undefined) return await run(limited(query, only.limit));
    return await scanned(connection, scan, async (near) => await run(bounded(query, only, near)));
  };
  if (status === undefined && isPart && order === "recent" && driver === undefined) {
    // The index of this order starts with the status, so each status is scanned by itself.
    const [open, closed] = [
      await rowsOf({ ...filter, status: "open" }),
      await rowsOf({ ...filter, status: "closed" }),
    ];
    return [...open, ...closed].sort(byRecent).slice(0, limit);
  }
  return await rowsOf(filter);
}

function byRecent(a: Placed, b: Placed): number {
  if (a.updated_at === b.updated_at) return b.id - a.id;
  return a.updated_at < b.updated_at ? 1 : -1;
}

function listQuery(
  dialect: Dialect,
  filter: PageFilter,
  order: ListOrder,
  driver: Driver | undefined,
): Query {
  const found = withStatus(filtered(dialect, filter, driver), filter);
  const ofAll = order === "recent" && filter.project_uid === undefined && driver === undefined;
  const query = ofAll ? found.where(OF_ALL) : found;
  return ordered(afterPlace(query, filter, order), order);
}

function withStatus(query: Query, { status }: PageFilter): Query {
  return status === undefined ? query : query.where("i.status", "=", sql.lit(status));
}

function afterPlace(query: Query, { after }: PageFilter, order: ListOrder): Query {
  return after === undefined ? query : query.where(isAfter(after, order));
}

export async function readyIssues(
  connection: Connection,
  filter: PageFilter,
  now: Instant,
  containers: boolean,
): Promise<readonly StoredIssue[]> {
  return await ready(connection, filter, { now, containers }, async (query) => {
    const rows = await all(connection, query.selectAll("i").select(PROJECT_COLUMNS));
    return rows.map((row) => issueOf(row as SelectedIssue));
  });
}

export async function readySizes(
  connection: Connection,
  filter: PageFilter,
  now: Instant,
  containers: boolean,
): Promise<readonly number[]> {
  return await ready(connection, filter, { now, containers }, async (query) => {
    return (await all(connection, query.select(SIZE))).map(({ size }) => size);
  });
}

async function ready<O>(
  connection: Connection,
  filter: PageFilter,
  { now, containers }: { readonly now: Instant; readonly containers: boolean },
  run: (query: Query) => Promise<readonly O[]>,
): Promise<readonly O[]> {
  const driver = await fewest(connection, { ...filter, status: "open" }, "recent");
  let query = filtered(connection.dialect, filter, driver)
    .where(isReady)
    .where(({ or, eb }) => or([eb("i.ready_from", "is", null), eb("i.ready_from", "<=", now)]));
  if (!containers) query = query.where("i.open_children", "=", sql.lit(0));
  query = ordered(afterPlace(query, filter, "recent"), "recent");
  if (driver !== undefined) return await run(limited(query, filter.limit));
  const scan = { filter, order: "recent", where: readyScan(filter) } as const;
  return await scanned(connection, scan, async (near) => await run(bounded(query, filter, near)));
}

function bounded(query: Query, { limit }: PageFilter, near: ScanWindow | undefined): Query {
  return limited(near === undefined ? query : query.where(near), limit);
}

async function fewest(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<Driver | undefined> {
  for (const driver of drivers(filter, order)) {
    const counted = sql`select count(*) as count from (select 1 as one from (${driver}) as few limit ${sql.lit(FEW + 1)}) as counted`;
    const rows = await rowsOf<{ count: number }>(connection, counted);
    if ((rows[0]?.count ?? 0) <= FEW) return driver;
  }
  return undefined;
}

/** The filters that few issues may match, in the order in which they are counted. */
function drivers(filter: PageFilter, order: ListOrder): readonly Driver[] {
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
  const few = (condition: Driver): Driver =>
    sql`select uid from issue where deleted_at is null and ${condition} ${inProject} ${ofStatus}`;
  if (owner !== undefined) found.push(few(sql`owner = ${owner}`));
  if (owners !== undefined) found.push(few(sql`owner in (${sql.join(owners)})`));
  if (author !== undefined) found.push(few(sql`author = ${author}`));
  if (blocked === true) found.push(few(sql`open_blockers > 0`));
  if (unowned === true) found.push(few(sql`owner is null`));
  // No index finds the issues without a priority.
  if (typeof priority === "number") found.push(few(sql`priority = ${priority}`));
  if (max_priority !== undefined) found.push(few(sql`priority <= ${max_priority}`));
  // The order `recent` needs no driver here: its scan begins with the issues that changed last.
  if (order === "created" && changed_since !== undefined) found.push(changedSince(filter));
  // The index of this order covers all projects, so the project itself may be the rarest condition.
  if (order === "created" && project_uid !== undefined) found.push(few(sql`1 = 1`));
  return found;
}

/** Reads the index of each project and status, because no index orders the changes of all projects. */
function changedSince({ project_uid, status, changed_since }: PageFilter): Driver {
  const ofProject = project_uid === undefined ? sql`` : sql`and p.uid = ${project_uid}`;
  const statuses = status === undefined ? sql`'open', 'closed'` : sql.lit(status);
  return sql`select i.uid from project as p cross join issue as i where i.project_uid = p.uid
    and i.deleted_at is null and i.status in (${statuses}) and i.updated_at >= ${changed_since} ${ofProject}`;
}

/** The issues that satisfy all conditions except the status; deleted ones only with `deletedToo`. */
function filtered(
  dialect: Dialect,
  filter: PageFilter,
  driver: Driver | undefined,
  { deletedToo }: { readonly deletedToo: boolean } = { deletedToo: false },
) {
  const {
    project_uid,
    owner,
    unowned,
    priority,
    max_priority,
    labels = [],
    exclude_labels = [],
    meta = [],
    takeable,
    parent_uid,
    author,
    blocked,
    changed_since,
    owners,
    any_labels,
    related,
    contains,
    dated,
    ready_if_open,
  } = filter;
  // Keeps SQLite from the indexes of these columns. For a value that many issues have, it would sort all of them to
  // return one page.
  const column = (name: "owner" | "author" | "priority") => unindexed(dialect, `i.${name}`);
  let query = builder(dialect)
    .selectFrom(source(driver).as("i"))
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .where(labelFilters("i.uid", labels, exclude_labels));
  if (!deletedToo) query = query.where("i.deleted_at", "is", null);
  if (project_uid !== undefined) query = query.where("i.project_uid", "=", project_uid);
  else query = query.where("p.deleted_at", "is", null);
  if (owner !== undefined) query = query.where(column("owner"), "=", owner);
  if (unowned === true) query = query.where(column("owner"), "is", null);
  if (parent_uid !== undefined) query = query.where(isChild("i.uid", parent_uid));
  if (author !== undefined) query = query.where(column("author"), "=", author);
  if (blocked !== undefined)
    query = query.where("i.open_blockers", blocked ? ">" : "=", sql.lit(0));
  if (changed_since !== undefined) query = query.where("i.updated_at", ">=", changed_since);
  if (takeable !== undefined) {
    query = query
      .where(({ or, eb }) => or([eb("i.owner", "is", null), eb("i.owner", "=", takeable.by)]))
      .where(unleased("i.uid", takeable.now));
  }
  if (priority !== undefined)
    query = query.where(column("priority"), priority === null ? "is" : "=", priority);
  if (max_priority !== undefined) query = query.where(column("priority"), "<=", max_priority);
  if (owners !== undefined) query = query.where(column("owner"), "in", owners);
  if (any_labels !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select 1 from label where label.issue_uid = i.uid and label.label in (${sql.join(any_labels)}))`,
    );
  if (related !== undefined) query = query.where(isRelated("i.uid", related));
  if (contains !== undefined) query = query.where(containsText(dialect, contains));
  if (dated !== undefined) query = query.where(sql<SqlBool>`i.uid in (${datedUids(dated)})`);
  if (ready_if_open !== undefined)
    query = query.where(
      sql<SqlBool>`(i.status = 'closed' or (${isReady} and (i.ready_from is null or i.ready_from <= ${ready_if_open})))`,
    );
  const end = lookedUp(dialect, meta.length);
  for (const { key, value } of meta) {
    const same = value === undefined ? sql`` : sql`and m.value = ${indexed(value)}`;
    query = query.where(
      sql<SqlBool>`exists (select 1 from issue_meta m where m.issue_uid = i.uid and m.key = ${indexed(key)} ${same} ${end})`,
    );
  }
  return query;
}

function source(driver: Driver | undefined) {
  return driver === undefined ? sql<Selected<"issue">>`issue` : issuesIn(driver);
}

type Query = ReturnType<typeof filtered>;

function ordered(query: Query, order: ListOrder): Query {
  return query.orderBy(COLUMNS[order], "desc").orderBy("i.id", "desc");
}

function limited(query: Query, limit: number | undefined): Query {
  return limit === undefined ? query : query.limit(limit);
}
