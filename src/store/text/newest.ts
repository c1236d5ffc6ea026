import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { sqlStatement, statement } from "../rows/statement.ts";
import { blocksWithin, SMALLEST_BLOCK } from "./blocks.ts";
import { idOf, type Match, matches, matchText } from "./match.ts";

export interface IndexState {
  readonly newest: number;
  /**
   * Whether every row has its block words (`blocks.ts`). False after an upgrade until all rows are rewritten
   * (`OUTDATED`).
   */
  readonly isWhole: boolean;
  /** If present, the search looks only at these issues (newest first), which satisfy a filter. */
  readonly only?: readonly number[] | undefined;
}

/**
 * Returns for each condition (`matches`) the ids of the newest issues that satisfy it, newest first, at most `most`. If
 * `expected` is "few", PostgreSQL searches all issues at once.
 */
export async function newestOf(
  connection: Connection,
  matches: readonly Match[],
  most: number,
  index: IndexState,
  expected: "few" | "many" = "many",
): Promise<readonly (readonly number[])[]> {
  if (index.only !== undefined) {
    const among: (readonly number[])[] = [];
    for (const match of matches)
      among.push((await amongIds(connection, match, index.only)).slice(0, most));
    return among;
  }
  if (connection.dialect === "postgres" && index.isWhole)
    return await byRanges(connection, matches, most, index.newest, expected);
  const found: (readonly number[])[] = [];
  for (const match of matches) {
    const text = matchText(connection.dialect, match);
    found.push((await inOrder.all(connection, { text, most })).map(({ id }) => id));
  }
  return found;
}

const inOrder = statement((db, p: { text: string; most: number }, dialect) =>
  db
    .selectFrom(sql<object>`issue_text`.as("t"))
    .select(idOf(dialect).as("id"))
    .where(matches(dialect, p.text))
    .orderBy(idOf(dialect), "desc")
    .limit(p.most),
);

/** How many of the newest ids the first query covers. */
const FIRST = SMALLEST_BLOCK;
/** If a range has fewer matches than this, the next query covers all issues. */
const FEW_MATCHES = 8;
/** The next range is this many times as large as estimated, since matches are not spread evenly. */
const SPARE = 1.25;
/**
 * The maximum number of rows that one query reads for a match. A range with more rows is narrowed. The limit leaves
 * room for the longest list that is requested (2,000 issues) and one more block.
 */
const MOST_READ = 3 * SMALLEST_BLOCK;

interface Range {
  /** The first id of the range, which ends with the newest id. */
  readonly from: number;
  /** The first id of the largest range known to contain too few matches. */
  readonly short: number;
  /** The first id of the smallest range known to contain too many matches; -1 when there is none. */
  readonly many: number;
}

/**
 * Finds the issues for all conditions (`matches`) with one query, each condition in a range of the newest ids. Then
 * queries again with a wider range where too few issues were found, and with a narrower one where a query would read
 * more than `MOST_READ` rows.
 */
async function byRanges(
  connection: Connection,
  matches: readonly Match[],
  most: number,
  newest: number,
  expected: "few" | "many",
): Promise<readonly (readonly number[])[]> {
  const found = matches.map((): readonly number[] => []);
  const from = expected === "few" ? 0 : startOf(newest - FIRST);
  const first: Range = { from, short: newest + 1, many: -1 };
  let open = matches.map((match, at) => ({ match, at, range: first }));
  while (open.length > 0) {
    const rows = await within.all(connection, {
      texts: open.map(({ match, range }) => rangeText(match, range, newest)),
      froms: open.map(({ range }) => range.from),
    });
    open = open.flatMap(({ match, at, range }, row) => {
      const inside = rows[row]?.ids?.split(" ").map(Number) ?? [];
      const next = nextRange(range, inside.length, most, newest);
      if (next !== undefined) return [{ match, at, range: next }];
      found[at] = inside.sort((a, b) => b - a).slice(0, most);
      return [];
    });
  }
  return found;
}

function rangeText(match: Match, { from }: Range, newest: number): string {
  const blocks = from === 0 ? [] : blocksWithin(from, newest);
  const some = blocks.map((mark) => ({ mark }));
  const query = some.length === 0 ? match.query : { all: [match.query, { any: some }] };
  return matchText("postgres", { ...match, query });
}

/**
 * Returns the range to query next. Returns undefined if this range has enough matches or covers all issues, or if no
 * further block boundary is left to try.
 */
export function nextRange(
  { from, short, many }: Range,
  count: number,
  most: number,
  newest: number,
): Range | undefined {
  if (count > MOST_READ) return rangeBetween(from, short);
  if (count >= most || from === 0) return undefined;
  const seen = newest + 1 - from;
  const wanted = count < FEW_MATCHES ? 0 : startOf(newest + 1 - (SPARE * seen * most) / count);
  return wanted > many ? { from: wanted, short: from, many } : rangeBetween(many, from);
}

function rangeBetween(many: number, short: number): Range | undefined {
  const from = startOf((many + short) / 2);
  return from > many ? { from, short, many } : undefined;
}

/** The first id of the block that contains this id; ranges consist of whole blocks. */
function startOf(id: number): number {
  return Math.max(0, Math.floor(id / SMALLEST_BLOCK) * SMALLEST_BLOCK);
}

/**
 * Returns one row for each match: all ids in one text, because many rows are slow to parse. `+ 0` keeps PostgreSQL from
 * reading the range by the index of ids.
 */
const within = sqlStatement<
  { readonly texts: readonly string[]; readonly froms: readonly number[] },
  { ids: string | null }
>(
  (p) => sql`select found.ids
    from unnest(${p.texts}::text[], ${p.froms}::bigint[]) with ordinality as q (text, first, at)
    cross join lateral (
      select string_agg(t.issue_id::text, ' ') as ids from (
        select issue_id from issue_text where words @@ q.text::tsquery and issue_id + 0 >= q.first
        limit ${sql.lit(MOST_READ + 1)}
      ) as t
    ) as found order by q.at`,
);

/** Returns the ids whose issues satisfy the match, in the given order. */
export async function amongIds(
  connection: Connection,
  match: Match,
  ids: readonly number[],
): Promise<readonly number[]> {
  const oldest = ids.at(-1);
  if (oldest === undefined) return [];
  const text = matchText(connection.dialect, match);
  const rows =
    connection.dialect === "sqlite"
      ? await since.all(connection, { text, oldest, ids })
      : await ofThese.all(connection, { text, ids });
  const has = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => has.has(id));
}

/** `+` keeps SQLite from asking the full-text index once for each of the ids. */
const since = sqlStatement<
  { readonly text: string; readonly oldest: number; readonly ids: readonly number[] },
  { id: number }
>(
  (p) => sql`select rowid as id from issue_text where issue_text match ${p.text}
    and rowid >= ${p.oldest} and +rowid in (select value from json_each(${p.ids}))`,
);

/** Reads the rows by id. The full-text index would make PostgreSQL read every row that has the words of a phrase. */
const ofThese = sqlStatement<
  { readonly text: string; readonly ids: readonly number[] },
  { id: number }
>(
  (p) => sql`with given as materialized (
      select issue_id, words from issue_text where issue_id = any(${p.ids}::bigint[])
    )
    select issue_id as id from given where words @@ ${p.text}::tsquery`,
);
