import { createHash, hash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { Table } from "../../domain/tables/table.ts";
import { type FoldedTable, type Rows, TABLES, type TableName } from "../../domain/tables/tables.ts";
import { type Connection, type Dialect, rowsOf } from "../connection.ts";
import { isIn, type Statement, sqlStatement } from "../rows/statement.ts";
import { OWNER_COLUMNS } from "./issue-tables.ts";

/** SQL that joins the columns of a row to one text. Different rows give different texts. */
function rowText(dialect: Dialect, columns: readonly string[]): RawBuilder<string> {
  const parts = columns.map((column) => sql.ref(column));
  if (dialect === "postgres") return sql<string>`row(${sql.join(parts)})::text`;
  return sql<string>`${sql.join(
    parts.map((part) => sql`quote(${part})`),
    sql` || ',' || `,
  )}`;
}

function columnsOf(table: TableName): readonly string[] {
  const { columns }: Table = TABLES[table];
  return Object.keys(columns);
}

interface RowOfIssue {
  readonly uid: string;
  readonly text: string;
}

const ROWS_OF_ISSUES: ReadonlyMap<
  FoldedTable,
  Statement<{ readonly uids: readonly string[] }, RowOfIssue>
> = new Map(
  [...OWNER_COLUMNS].map(([table, owner]) => [
    table,
    sqlStatement<{ readonly uids: readonly string[] }, RowOfIssue>((p, dialect) => {
      const { key }: Table = TABLES[table];
      const uid = sql.ref(owner);
      const order = sql.join([uid, ...key.map((column) => sql.ref(column))]);
      return sql`select ${uid} as uid, ${rowText(dialect, columnsOf(table))} as text
          from ${sql.table(table)} where ${isIn(dialect, uid, p.uids)} order by ${order}`;
    }),
  ]),
);

/** Digests of the stored rows of issues. */
export interface IssueDigests {
  readonly byIssue: ReadonlyMap<string, string>;
  /** The number of rows that the digests cover, by table. */
  readonly rows: ReadonlyMap<FoldedTable, number>;
}

/**
 * Computes for each issue a digest of its folded columns in all tables. Each digest also covers `seed` and the texts
 * that `more` returns for the issue, such as its idempotency keys.
 */
export async function issueDigests(
  connection: Connection,
  uids: readonly string[],
  seed: string,
  more: (uid: string) => Iterable<string>,
): Promise<IssueDigests> {
  const texts = new Map(uids.map((uid) => [uid, [seed, ...more(uid)]]));
  const rows = new Map<FoldedTable, number>();
  for (const [table, statement] of ROWS_OF_ISSUES) {
    let uid: string | undefined;
    const found = await statement.all(connection, { uids });
    for (const row of found) {
      if (row.uid !== uid) texts.get(row.uid)?.push(table);
      texts.get(row.uid)?.push(row.text);
      uid = row.uid;
    }
    rows.set(table, found.length);
  }
  const byIssue = new Map([...texts].map(([uid, own]) => [uid, hash("sha256", own.join("\n"))]));
  return { byIssue, rows };
}

/** The digest of the stored events in a stretch of the log. */
export interface LogDigest {
  readonly digest: string;
  readonly events: number;
  readonly last: { readonly id: number; readonly chain: string } | undefined;
}

/** The number of events that one statement reads. The event loop runs between two statements. */
const SLICE = 500;

/** Computes the digest of the events after the id `after`, up to and including the id `through`. */
export async function stretchDigest(
  connection: Connection,
  seed: string,
  after: number,
  through: number,
): Promise<LogDigest> {
  const digest = createHash("sha256").update(seed);
  let [events, lastId] = [0, 0];
  for (let from = after; from < through; from += SLICE) {
    const to = Math.min(from + SLICE, through);
    const slice = await eventTexts.all(connection, { from, to });
    for (const { text } of slice) digest.update(`\n${text}`);
    events += slice.length;
    lastId = slice.at(-1)?.id ?? lastId;
    await yieldToLoop();
  }
  const last = lastId === 0 ? undefined : await chainAt.one(connection, { id: lastId });
  return { digest: digest.digest("hex"), events, last };
}

const eventTexts = sqlStatement<
  { readonly from: number; readonly to: number },
  { readonly id: number; readonly text: string }
>(
  (p, dialect) =>
    sql`select id, ${rowText(dialect, ["id", ...columnsOf("event")])} as text
      from event where id > ${p.from} and id <= ${p.to} order by id`,
);

const chainAt = sqlStatement<
  { readonly id: number },
  { readonly id: number; readonly chain: string }
>((p) => sql`select id, chain from event where id = ${p.id}`);

/** A row of the table `idempotency`. `issue_uid` is the issue of the row's event; null if the event has no issue. */
export interface RequestKey {
  readonly scope_uid: string;
  readonly operation: Rows["idempotency"]["operation"];
  readonly key: string;
  readonly origin_instance_uid: string;
  readonly issue_uid: string | null;
  readonly text: string;
}

const KEYS_SLICE = 500;
const KEY = sql`i.scope_uid, i.operation, i.key, i.origin_instance_uid`;

/** Yields all rows of the table `idempotency`, in the order of their primary key. */
export async function* requestKeys(
  connection: Connection,
): AsyncGenerator<readonly RequestKey[], void, void> {
  let after:
    | Pick<RequestKey, "scope_uid" | "operation" | "key" | "origin_instance_uid">
    | undefined;
  const { dialect } = connection;
  const columns = columnsOf("idempotency").map((column) => `i.${column}`);
  for (;;) {
    const behind =
      after === undefined
        ? sql``
        : sql`where (${KEY}) > (${after.scope_uid}, ${after.operation}, ${after.key}, ${after.origin_instance_uid})`;
    const slice = await rowsOf<RequestKey>(
      connection,
      sql`select ${KEY}, e.issue_uid, ${rowText(dialect, columns)} as text
        from idempotency i left join event e on e.uid = i.event_uid ${behind}
        order by ${KEY} limit ${sql.lit(KEYS_SLICE)}`,
    );
    if (slice.length > 0) yield slice;
    after = slice.at(-1);
    if (slice.length < KEYS_SLICE) return;
    await yieldToLoop();
  }
}
