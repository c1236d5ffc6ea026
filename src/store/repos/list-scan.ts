import { type RawBuilder, type SqlBool, sql } from "kysely";
import { NeedsWorker } from "../../base/budget.ts";
import type { Instant } from "../../base/clock.ts";
import { all, builder, type Connection } from "../connection.ts";
import type { ListOrder, ListPlace, PageFilter } from "../types/issues.ts";

/**
 * On the daemon's own thread (`Connection.isShared`), a list that has not reached its limit after this many issues
 * throws `NeedsWorker`, so that other readers do not wait for it.
 */
const MAX_SCANNED = 3000;
/** The same bound for a list whose filters only compare columns of the issue, which is up to ten times as fast. */
const FAR_BY_COLUMNS = 10_000;

export const COLUMNS = {
  recent: "i.updated_at",
  created: "i.created_at",
} as const satisfies Record<ListOrder, string>;

/** A condition that ends a scan at a position in the order of the list. */
export type ScanWindow = RawBuilder<SqlBool>;

interface Scan {
  readonly filter: PageFilter;
  readonly order: ListOrder;
  /** The range of the order's index that the list reads, before the filters apply. */
  readonly where: RawBuilder<SqlBool>;
}

/**
 * Runs a list that scans the index of its order. On the daemon's own thread, throws `NeedsWorker` if the list has not
 * reached its limit after some thousands of issues.
 */
export async function scanned<O>(
  connection: Connection,
  scan: Scan,
  run: (near: ScanWindow | undefined) => Promise<readonly O[]>,
): Promise<readonly O[]> {
  const { filter, order } = scan;
  const most = connection.isShared === true ? mostScanned(filter, order) : undefined;
  const end = most === undefined ? undefined : await placeAfter(most, connection, scan);
  if (end === undefined) return await run(undefined);
  const rows = await run(
    sql<SqlBool>`(${sql.ref(COLUMNS[order])}, i.id) >= (${end.at}, ${end.id})`,
  );
  if (rows.length < (filter.limit ?? Number.POSITIVE_INFINITY)) throw new NeedsWorker();
  return rows;
}

/**
 * Returns the maximum number of issues that a scan may read, or undefined if the list returns every issue that it
 * reads.
 */
function mostScanned(filter: PageFilter, order: ListOrder): number | undefined {
  const { labels = [], exclude_labels = [], meta = [], unowned, project_uid } = filter;
  const { owner, priority, max_priority, parent_uid, author, blocked, changed_since } = filter;
  const { owners, any_labels, related, contains, dated, ready_if_open } = filter;
  if (
    labels.length + exclude_labels.length + meta.length > 0 ||
    [parent_uid, any_labels, related, contains, dated].some((condition) => condition !== undefined)
  )
    return MAX_SCANNED;
  const byColumns =
    unowned === true ||
    [owner, owners, priority, max_priority, author, blocked, ready_if_open].some(
      (condition) => condition !== undefined,
    ) ||
    (order === "created" && changed_since !== undefined) ||
    // The order `created` has one index for all projects, so the scan also reads issues of other projects.
    (order === "created" && project_uid !== undefined);
  return byColumns ? FAR_BY_COLUMNS : undefined;
}

async function placeAfter(
  count: number,
  connection: Connection,
  { filter: { after }, order, where }: Scan,
): Promise<ListPlace | undefined> {
  const behind = after === undefined ? sql`` : sql`and ${isAfter(after, order)}`;
  const place = builder(connection.dialect)
    .selectFrom("issue as i")
    .select([sql.ref<Instant>(COLUMNS[order]).as("at"), "i.id"])
    .where(sql<SqlBool>`i.deleted_at is null and ${where} ${behind}`)
    .orderBy(COLUMNS[order], "desc")
    .orderBy("i.id", "desc")
    .limit(1)
    .offset(count);
  return (await all(connection, place))[0];
}

export function listScan(
  { project_uid, status, changed_since }: PageFilter,
  order: ListOrder,
): Scan["where"] {
  if (order === "created") return sql<SqlBool>`1 = 1`;
  const ofProject = project_uid === undefined ? EVERY_ISSUE : sql`i.project_uid = ${project_uid}`;
  const ofStatus = status === undefined ? sql`` : sql`and i.status = ${sql.lit(status)}`;
  const since = changed_since === undefined ? sql`` : sql`and i.updated_at >= ${changed_since}`;
  return sql<SqlBool>`${ofProject} ${ofStatus} ${since}`;
}

/**
 * The issues that SQLite reads for a ready list. In one project these are all open issues, since SQLite does not use
 * the index of ready issues there.
 */
export function readyScan(filter: PageFilter): Scan["where"] {
  return filter.project_uid === undefined
    ? isReady
    : listScan({ ...filter, status: "open" }, "recent");
}

/** True for every issue. With this condition, lists of all projects are read from their own index (`issue_recent`). */
export const EVERY_ISSUE = sql<SqlBool>`i.updated_at > ''`;

/**
 * The constants are literals, because a partial index is used only when the statement itself contains its condition.
 */
export const isReady = sql<SqlBool>`i.status = 'open' and i.open_blockers = 0 and i.parked = 0 and i.held = 0`;

export function isAfter({ at, id }: ListPlace, order: ListOrder): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(COLUMNS[order])}, i.id) < (${at}, ${id})`;
}
