import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { EventFilter } from "../../domain/event-filter.ts";
import { PROJECT_WIDE } from "../../domain/event-filter.ts";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { eventOf } from "../rows.ts";
import type { Selected } from "../schema.ts";
import { isIn } from "../statement.ts";
import type { EventPage } from "../types.ts";

/** A part of a filter is rare when so many events, at most, fit it. */
const FEW = 2000;
/** Ids that are looked through at once where every part of a filter is frequent. */
const WINDOW = 5000;

type Bool = RawBuilder<SqlBool>;

/** One index and what is looked up in it. */
interface Source {
  readonly index: string;
  readonly where: Bool;
}

/** One part of a filter: where its events are found, and how an event found otherwise is told to fit it. */
interface Part {
  readonly sources: readonly Source[];
  readonly fits: Bool;
}

/**
 * Events after the cursor that fit the filter. The part of the filter that fewest events fit is looked up in its
 * index and the others are tested; where all are frequent only the next `WINDOW` ids are looked through, so that no
 * page keeps other readers waiting, however long the log.
 */
export async function matchingEvents(
  connection: Connection,
  filter: EventFilter,
  { after, head, limit }: { readonly after: number; readonly head: number; readonly limit: number },
): Promise<EventPage> {
  const parts = partsOf(connection.dialect, filter);
  const far = head - after > WINDOW;
  const { rare, first } = far ? await rarest(connection, parts, after) : { rare: true, first: 0 };
  const upTo = far && !rare ? after + WINDOW : head;
  const rows = await pageOf(connection, parts, first, { after, upTo, limit });
  const reached = rows.length === limit ? (rows.at(-1)?.id ?? upTo) : upTo;
  return { events: rows.map(eventOf), upTo: reached, last: reached >= head };
}

async function rarest(
  connection: Connection,
  parts: readonly Part[],
  after: number,
): Promise<{ readonly rare: boolean; readonly first: number }> {
  let [first, least] = [0, FEW + 1];
  for (const [place, { sources }] of parts.entries()) {
    const count = await countUpTo(connection, sources, after, least);
    if (count < least) [first, least] = [place, count];
  }
  return { rare: least <= FEW, first };
}

async function countUpTo(
  connection: Connection,
  sources: readonly Source[],
  after: number,
  most: number,
): Promise<number> {
  let count = 0;
  for (const { index, where } of sources) {
    const found = sql`select 1 from ${indexed(connection.dialect, index)}
      where ${where} and id > ${after} limit ${most - count}`;
    const rows = await run<{ readonly n: number }>(
      connection,
      sql`select count(*) as n from (${found}) as found`,
    );
    count += Number(rows[0]?.n ?? 0);
    if (count >= most) break;
  }
  return count;
}

async function pageOf(
  connection: Connection,
  parts: readonly Part[],
  first: number,
  range: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<readonly Selected<"event">[]> {
  const others = parts.filter((_, place) => place !== first).map(({ fits }) => sql` and ${fits}`);
  const rest = sql.join(others, sql``);
  const ids = (parts[first]?.sources ?? []).map(
    ({ index, where }) => sql`select id from ${indexed(connection.dialect, index)}
      where ${where}${rest} and id > ${range.after} and id <= ${range.upTo}`,
  );
  return await run(
    connection,
    sql`select * from event where id in (${sql.join(ids, sql` union `)} order by id limit ${range.limit}) order by id`,
  );
}

async function run<O>(connection: Connection, query: RawBuilder<unknown>): Promise<readonly O[]> {
  const db = builder(connection.dialect);
  return await all(connection, { compile: () => query.compile(db) as never });
}

/** SQLite knows no values while it plans, so it is told which index to take. */
function indexed(dialect: Dialect, index: string): RawBuilder<unknown> {
  return dialect === "sqlite" ? sql`event indexed by ${sql.id(index)}` : sql`event`;
}

function partsOf(dialect: Dialect, filter: EventFilter): readonly Part[] {
  const { issues, types, actors, projects } = filter;
  const one = (index: string, column: string, values: readonly string[]): Source => ({
    index,
    where: isAnyOf(dialect, column, values),
  });
  const simple = (index: string, column: string, values: readonly string[] | undefined): Part[] => {
    if (values === undefined) return [];
    const source = one(index, column, values);
    return [{ sources: [source], fits: source.where }];
  };
  return [
    ...(issues === undefined ? [] : [issuePart(dialect, issues)]),
    ...simple("event_type", "type", types),
    ...simple("event_actor", "actor", actors),
    ...simple("event_feed", "feed_uid", projects),
  ];
}

function issuePart(dialect: Dialect, { uids, projects }: NonNullable<EventFilter["issues"]>): Part {
  const own = isAnyOf(dialect, "issue_uid", uids);
  const related = isAnyOf(dialect, "related_issue_uid", uids);
  const kind = isAnyOf(dialect, "type", PROJECT_WIDE);
  const wide = sql<SqlBool>`${kind} and ${isAnyOf(dialect, "feed_uid", projects)}`;
  return {
    sources: [
      { index: "event_issue", where: own },
      { index: "event_related", where: related },
      { index: "event_type", where: wide },
    ],
    fits: sql<SqlBool>`(${own} or ${related} or (${wide}))`,
  };
}

/** One value is compared, not looked up in a list: then the index gives its ids in order and the limit ends the walk. */
function isAnyOf(dialect: Dialect, column: string, values: readonly string[]): Bool {
  const [only, ...more] = values;
  return only !== undefined && more.length === 0
    ? sql<SqlBool>`${sql.ref(column)} = ${only}`
    : isIn(dialect, sql.ref(column), values);
}
