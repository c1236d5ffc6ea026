import { sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import { all, type Connection, type Dialect } from "../connection.ts";
import { issueOf, PROJECT_COLUMNS, type SelectedIssue } from "../rows/rows.ts";
import { isIn, listAs } from "../rows/statement.ts";
import type { ListOrder, PageFilter } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import type { Driver } from "./filters.ts";
import { filtered, type Query } from "./list-conditions.ts";
import { fewest } from "./list-drivers.ts";
import {
  COLUMNS,
  EVERY_ISSUE,
  isAfter,
  isReady,
  listScan,
  readyScan,
  type ScanWindow,
  scanned,
} from "./list-scan.ts";

export async function listIssues(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<readonly StoredIssue[]> {
  const rows = await listPage(filter, order, connection, async (query) => {
    const found = await all(connection, query.selectAll("i").select(PROJECT_COLUMNS));
    return found as readonly SelectedIssue[];
  });
  return rows.map(issueOf);
}

/**
 * Returns the local ids of the issues that satisfy the filter, newest first. Returns undefined unless one condition of
 * the filter alone leaves at most 2,000 issues (`fewest`).
 */
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

/** Returns the uids of at most `most` live issues that satisfy the filter. `among`: only these. */
export async function selectedUids(
  connection: Connection,
  filter: PageFilter,
  most: number,
  among?: readonly string[],
): Promise<readonly string[]> {
  const { dialect } = connection;
  const driver =
    among === undefined ? await fewest(connection, filter, "created") : uidsOf(dialect, among);
  const query = withStatus(filtered(dialect, filter, driver), filter);
  return (await all(connection, query.select("i.uid").limit(most))).map(({ uid }) => uid);
}

export async function idsAmong(
  connection: Connection,
  filter: PageFilter,
  ids: readonly number[],
  options: { readonly deletedToo: boolean },
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { dialect } = connection;
  const driver: Driver = sql`select uid from issue where ${isIn(dialect, sql.ref("id"), ids, "bigint")}`;
  const query = withStatus(filtered(dialect, filter, driver, options), filter);
  return new Set((await all(connection, query.select("i.id"))).map(({ id }) => id));
}

/** Without it, SQLite would read all issues of the project. */
function uidsOf(dialect: Dialect, uids: readonly string[]): Driver {
  return sql`select value as uid from ${listAs(dialect, uids, "listed")}`;
}

export async function listSizes(
  connection: Connection,
  filter: PageFilter,
  order: ListOrder,
): Promise<readonly number[]> {
  const rows = await listPage(filter, order, connection, async (query) => {
    const found = await all(connection, query.select(["i.id", "i.updated_at"]).select(SIZE));
    return found as readonly SizedRow[];
  });
  return rows.map(({ size }) => size);
}

/** SQLite computes `octet_length` from the header of the row, without reading the text. */
const SIZE = sql<number>`octet_length(i.body) + octet_length(i.metadata)`.as("size");

interface PlacedRow {
  readonly id: number;
  readonly updated_at: Instant;
}

interface SizedRow extends PlacedRow {
  readonly size: number;
}

async function listPage<O extends PlacedRow>(
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
    if (driver !== undefined) return await run(limitedQuery(query, only.limit));
    return await scanned(
      connection,
      scan,
      async (near) => await run(boundedQuery(query, only, near)),
    );
  };
  if (status === undefined && isPart && order === "recent" && driver === undefined) {
    // The index of the order `recent` starts with the status, so each status is scanned by itself.
    const [open, closed] = [
      await rowsOf({ ...filter, status: "open" }),
      await rowsOf({ ...filter, status: "closed" }),
    ];
    return [...open, ...closed].sort(byRecent).slice(0, limit);
  }
  return await rowsOf(filter);
}

function byRecent(a: PlacedRow, b: PlacedRow): number {
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
  const query = ofAll ? found.where(EVERY_ISSUE) : found;
  return orderedQuery(afterPlace(query, filter, order), order);
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
  return await listReady(connection, filter, { now, containers }, async (query) => {
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
  return await listReady(connection, filter, { now, containers }, async (query) => {
    return (await all(connection, query.select(SIZE))).map(({ size }) => size);
  });
}

async function listReady<O>(
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
  query = orderedQuery(afterPlace(query, filter, "recent"), "recent");
  if (driver !== undefined) return await run(limitedQuery(query, filter.limit));
  const scan = { filter, order: "recent", where: readyScan(filter) } as const;
  return await scanned(
    connection,
    scan,
    async (near) => await run(boundedQuery(query, filter, near)),
  );
}

function boundedQuery(query: Query, { limit }: PageFilter, near: ScanWindow | undefined): Query {
  return limitedQuery(near === undefined ? query : query.where(near), limit);
}

function orderedQuery(query: Query, order: ListOrder): Query {
  return query.orderBy(COLUMNS[order], "desc").orderBy("i.id", "desc");
}

function limitedQuery(query: Query, limit: number | undefined): Query {
  return limit === undefined ? query : query.limit(limit);
}
