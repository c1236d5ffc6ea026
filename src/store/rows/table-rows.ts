import { type RawBuilder, sql } from "kysely";
import {
  eachTable,
  type Inserts,
  type Key,
  type Rows,
  TABLES,
  type TableName,
} from "../../domain/tables/tables.ts";
import type { Connection, Value } from "../connection.ts";
import type { Selected } from "../schema.ts";
import { type Insertion, insertion } from "./insertion.ts";
import { type Removal, removal } from "./removal.ts";
import { parsed, unparsed } from "./rows.ts";
import { type Statement, sqlStatement } from "./statement.ts";

type Writes = {
  readonly [T in TableName]: {
    readonly put: Insertion<Inserts[T]>;
    readonly remove: Removal<Key<T>>;
  };
};

const WRITES = Object.fromEntries(
  eachTable().map(([table]) => {
    const put = insertion(table, { rank: 3, conflict: "replace" });
    return [table, { put, remove: removal(table, put) }];
  }),
) as unknown as Writes;

/** Inserts a row or replaces the row with the same key. */
export async function putRow<T extends TableName>(
  connection: Connection,
  table: T,
  row: Rows[T],
): Promise<void> {
  await putRows(connection, table, [row]);
}

/**
 * Inserts rows or replaces the rows with the same keys. Rows with local ids are written one by one, since an insert of
 * several rows would also use up ids for rows that only replace others. Comments are written together all the same,
 * since there may be very many.
 */
export async function putRows<T extends TableName>(
  connection: Connection,
  table: T,
  rows: readonly Rows[T][],
): Promise<void> {
  const { put } = WRITES[table];
  const values = rows.map((row) => unparsed(table, row) as unknown as Inserts[T]);
  if (!TABLES[table].numbered || table === "comment") await put.run(connection, values);
  else for (const row of values) await put.write(connection, [row]);
}

export async function removeRow<T extends TableName>(
  connection: Connection,
  table: T,
  key: Key<T>,
): Promise<void> {
  await WRITES[table].remove.run(connection, key);
}

export async function findRow<T extends TableName>(
  connection: Connection,
  table: T,
  key: Key<T>,
): Promise<Rows[T] | undefined> {
  const row = await READS[table].find.one(connection, key as Values);
  return row === undefined ? undefined : parsed(table, row);
}

/** Returns up to `limit` rows in the order of their keys, beginning after the key `after`. */
export async function listRows<T extends TableName>(
  connection: Connection,
  table: T,
  limit: number,
  after?: Key<T>,
): Promise<readonly Rows[T][]> {
  const { first, next } = READS[table];
  const rows =
    after === undefined
      ? await first.all(connection, { limit })
      : await next.all(connection, { ...(after as Values), limit });
  return rows.map((row) => parsed<T>(table, row));
}

type Values = Readonly<Record<string, Value>>;

type Reads = {
  readonly [T in TableName]: {
    readonly find: Statement<Values, Selected<T>>;
    readonly first: Statement<Values, Selected<T>>;
    readonly next: Statement<Values, Selected<T>>;
  };
};

const READS = Object.fromEntries(
  eachTable().map(([name, { columns, key }]) => {
    const from = sql`select ${columnRefs(Object.keys(columns))} from ${sql.table(name)}`;
    const values = (p: Values) => sql`(${sql.join(key.map((column) => p[column]))})`;
    const isAt = (p: Values, sign: RawBuilder<unknown>) =>
      sql`where (${columnRefs(key)}) ${sign} ${values(p)}`;
    const ordered = (p: Values) => sql`order by ${columnRefs(key)} limit ${p["limit"]}`;
    return [
      name,
      {
        find: sqlStatement((p: Values) => sql`${from} ${isAt(p, sql`=`)}`),
        first: sqlStatement((p: Values) => sql`${from} ${ordered(p)}`),
        next: sqlStatement((p: Values) => sql`${from} ${isAt(p, sql`>`)} ${ordered(p)}`),
      },
    ];
  }),
) as unknown as Reads;

function columnRefs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}
