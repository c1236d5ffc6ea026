import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { EventFilter } from "../../domain/event-filter.ts";
import { PROJECT_WIDE } from "../../domain/event-filter.ts";
import { type Connection, type Dialect, rowsOf } from "../connection.ts";
import { eventOf } from "../rows/rows.ts";
import { isIn } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { EventPage } from "../types/events.ts";
import { ACTIVITY } from "./statements.ts";

/** A part of a filter is rare when at most this many events match it. */
const FEW_EVENTS = 2000;
/**
 * How many ids one page examines when no part of the filter is rare, and how many events a page of a whole feed
 * examines.
 */
export const WINDOW = 10_000;

type Bool = RawBuilder<SqlBool>;

interface Source {
  readonly index: string;
  readonly column: string;
  readonly value: string;
  readonly also?: Bool;
}

/**
 * One part of a filter. `sources` are the index lookups that find its events. `fits` tests whether an event that
 * another part found matches this part too.
 */
interface Part {
  readonly sources: readonly Source[];
  readonly fits: Bool;
}

interface Range {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** The part of the log from which a page may have events, and the limits of the page. */
export interface PageRange {
  readonly after: number;
  readonly head: number;
  readonly limit: number;
  readonly maxBytes: number | undefined;
}

/**
 * Returns the events after the cursor that match the filter, in the order of ids. If the filter has several parts,
 * looks up the rarest part in its index and tests the others. If no part is rare, examines only the next `WINDOW` ids,
 * so that a page never blocks other readers for long.
 */
export async function matchingEvents(
  connection: Connection,
  filter: EventFilter,
  { after, head, limit: maxEvents, maxBytes }: PageRange,
): Promise<Omit<EventPage, "next">> {
  const parts = partsOf(connection.dialect, filter);
  const choice =
    parts.length > 1 && head - after > WINDOW
      ? await findRarest(connection, parts, after)
      : { rare: true, first: 0 };
  const upTo = choice.rare ? head : after + WINDOW;
  const page = async <O>(limit: number, columns: RawBuilder<unknown>) =>
    await pageOf<O>(connection, parts, choice.first, { after, upTo, limit }, columns);
  const limit = await pageWithin(
    maxEvents,
    maxBytes,
    async () => await page<RowSize>(maxEvents, SIZE),
  );
  const rows = await page<Selected<"event">>(limit, sql`*`);
  const reached = rows.length === limit ? (rows.at(-1)?.id ?? upTo) : upTo;
  return { events: rows.map(eventOf), upTo: reached, last: reached >= head };
}

async function findRarest(
  connection: Connection,
  parts: readonly Part[],
  after: number,
): Promise<{ readonly rare: boolean; readonly first: number }> {
  let [first, least] = [0, FEW_EVENTS + 1];
  for (const [place, { sources }] of parts.entries()) {
    const count = await countUpTo(connection, sources, after, least);
    if (count < least) [first, least] = [place, count];
  }
  return { rare: least <= FEW_EVENTS, first };
}

async function countUpTo(
  connection: Connection,
  sources: readonly Source[],
  after: number,
  most: number,
): Promise<number> {
  const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: most };
  const found = sources.map((source) => idsIn(connection.dialect, source, range));
  const ids = sql.join(found, sql` union all `);
  const query = sql`select count(*) as n from (select 1 from (${ids}) as found limit ${most}) as few`;
  const rows = await rowsOf<{ readonly n: number }>(connection, query);
  return Number(rows[0]?.n ?? 0);
}

interface RowSize {
  readonly size: number;
}

const SIZE = sql`octet_length(payload) as size`;

export const PAYLOAD_SIZE = sql<number>`octet_length(payload)`.as("size");

/**
 * Returns how many of the next `limit` events fit into `maxBytes` bytes: at least one, so that a reader always
 * advances. Reads the sizes, not the payloads.
 */
export async function pageWithin(
  limit: number,
  maxBytes: number | undefined,
  sizes: () => Promise<readonly RowSize[]>,
): Promise<number> {
  if (maxBytes === undefined || limit === 1) return limit;
  let bytes = 0;
  const end = (await sizes()).findIndex(({ size }, at) => (bytes += size) > maxBytes && at > 0);
  return end === -1 ? limit : end;
}

/** Reads up to the limit from each source. `union` removes the duplicates of events that several sources find. */
async function pageOf<O>(
  connection: Connection,
  parts: readonly Part[],
  first: number,
  range: Range,
  columns: RawBuilder<unknown>,
): Promise<readonly O[]> {
  const others = parts.filter((_, place) => place !== first).map(({ fits }) => sql` and ${fits}`);
  const rest = sql.join([...others, sql` and ${ACTIVITY}`], sql``);
  const ids = (parts[first]?.sources ?? []).map((source) =>
    idsIn(connection.dialect, source, range, rest),
  );
  return await rowsOf(
    connection,
    sql`select ${columns} from event where id in (
      select id from (${sql.join(ids, sql` union `)}) as ids order by id limit ${range.limit}
    ) order by id`,
  );
}

/**
 * Selects the first ids that an index lookup finds. On SQLite the statement names the index, because SQLite plans
 * without the values. On PostgreSQL a range and an order over both columns enforce the index. Otherwise PostgreSQL
 * would scan the log in the order of ids, since it expects to find every value soon.
 */
function idsIn(
  dialect: Dialect,
  { index, column, value, also }: Source,
  { after, upTo, limit }: Range,
  rest: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const name = sql.ref(column);
  const more = also === undefined ? rest : sql` and ${also}${rest}`;
  if (dialect === "sqlite") {
    return sql`select id from (select id from event indexed by ${sql.id(index)}
      where ${name} = ${value} and id > ${after} and id <= ${upTo}${more} order by id limit ${limit})`;
  }
  return sql`select id from (select id from event
    where ${name} is not null and (${name}, id) > (${value}, ${after}) and (${name}, id) <= (${value}, ${upTo})${more}
    order by ${name}, id limit ${limit}) as source`;
}

function partsOf(dialect: Dialect, filter: EventFilter): readonly Part[] {
  const { issues, types, actors, projects } = filter;
  const partsFor = (
    index: string,
    column: string,
    values: readonly string[] | undefined,
  ): Part[] => {
    if (values === undefined) return [];
    return [{ sources: sourcesOf(index, column, values), fits: isAnyOf(dialect, column, values) }];
  };
  return [
    ...(issues === undefined ? [] : [issuePart(dialect, issues)]),
    ...partsFor("event_type", "type", types),
    ...partsFor("event_actor", "actor", actors),
    ...partsFor("event_feed", "feed_uid", projects),
  ];
}

/**
 * Returns one source for each value. The index orders ids only within one value, so a scan can stop at the limit only
 * if it reads a single value.
 */
function sourcesOf(index: string, column: string, values: readonly string[]): readonly Source[] {
  return values.map((value) => ({ index, column, value }));
}

function issuePart(dialect: Dialect, { uids, projects }: NonNullable<EventFilter["issues"]>): Part {
  const own = isAnyOf(dialect, "issue_uid", uids);
  const related = isAnyOf(dialect, "related_issue_uid", uids);
  const kind = isAnyOf(dialect, "type", PROJECT_WIDE);
  const feed = isAnyOf(dialect, "feed_uid", projects);
  return {
    sources: [
      ...sourcesOf("event_issue", "issue_uid", uids),
      ...sourcesOf("event_related", "related_issue_uid", uids),
      ...sourcesOf("event_type", "type", PROJECT_WIDE).map((source) => ({ ...source, also: feed })),
    ],
    fits: sql<SqlBool>`(${own} or ${related} or (${kind} and ${feed}))`,
  };
}

function isAnyOf(dialect: Dialect, column: string, values: readonly string[]): Bool {
  return isIn(dialect, sql.ref(column), values);
}
