import type { Table } from "../../domain/tables/table.ts";
import { type Inserts, TABLES, type TableName } from "../../domain/tables/tables.ts";
import { type Connection, type Dialect, settled, type Value } from "../connection.ts";
import { nextIdText } from "./next-id.ts";
import { type Deferrable, WriteBehind } from "./write-behind.ts";

interface Options<P> {
  readonly rank: number;
  /** Whether a row that is deferred (`WriteBehind`) may be replaced by a later row with the same key. */
  readonly replaced?: boolean;
  /** What to update when the key already exists: "replace" sets every column except the id. */
  readonly conflict?: "replace" | Conflict<P>;
}

interface Conflict<P> {
  /** SQL expressions by column; `excluded` is the new row. */
  readonly set: Readonly<Record<string, string>>;
  /** Merges two deferred rows (`WriteBehind`) with the same key. */
  joined(earlier: P, later: P): P;
}

export interface Insertion<P> extends Deferrable<P> {
  /** Inserts at once, unless the connection is a `WriteBehind`, which defers row writes. */
  run(connection: Connection, rows: readonly P[]): Promise<void>;
}

/**
 * Rows per statement. With these sizes, any number of rows needs at most five statement texts, each prepared once. 500
 * is one portion of an import. The widest table has 25 columns, so 500 rows need 12,500 parameters at most; SQLite
 * accepts 32,766 and PostgreSQL 65,535.
 */
const SIZES = [500, 64, 16, 4, 1] as const;

/**
 * Inserts one row or many rows per statement, since each statement costs PostgreSQL a round trip and SQLite a statement
 * journal. Rows of tables with local ids get the next ids in their order.
 */
export function insertion<T extends TableName>(
  table: T,
  options: Options<Inserts[T]>,
): Insertion<Inserts[T]> {
  const { columns: own, derived = {}, key, numbered }: Table = TABLES[table];
  const columns = [...Object.keys(own), ...Object.keys(derived)] as (keyof Inserts[T])[];
  const texts = insertTexts(table, columns.map(String), options);

  const write = async (connection: Connection, rows: readonly Inserts[T][]): Promise<void> => {
    const last = numbered && rows.length > 1 ? await lastId(connection, table) : 0;
    const sent: Promise<unknown>[] = [];
    for (const { from, size } of sliceSizes(rows.length)) {
      const values: Value[] = [];
      for (let at = from; at < from + size; at += 1) {
        if (numbered && size > 1) values.push(last + at + 1);
        const row = rows[at];
        for (const column of columns) values.push(row?.[column] as Value);
      }
      const statement = connection.execute(texts(connection.dialect, size), values);
      if (connection.dialect === "sqlite") await statement;
      else sent.push(statement);
    }
    await settled(sent);
  };

  const { rank, conflict, replaced = conflict !== undefined } = options;
  const self: Insertion<Inserts[T]> = {
    rank,
    sendsAtOnce: (rows) => !numbered || rows <= 1,
    write,
    keyOf: (row) => (replaced ? keyText(key, row) : undefined),
    joined: typeof conflict === "object" ? conflict.joined : (_earlier, later) => later,
    run: async (connection, rows) => {
      if (connection instanceof WriteBehind) await connection.hold(self, rows);
      else await write(connection, rows);
    },
  };
  return self;
}

export function keyText(key: readonly string[], row: object): string {
  const values = row as Readonly<Record<string, string | number | null>>;
  const [first = "", ...others] = key;
  return others.reduce((text, column) => `${text}\u0001${values[column]}`, `${values[first]}`);
}

function* sliceSizes(count: number): Generator<{ readonly from: number; readonly size: number }> {
  let from = 0;
  for (const size of SIZES) {
    for (; count - from >= size; from += size) yield { from, size };
  }
}

export async function lastId(connection: Connection, table: TableName): Promise<number> {
  const query = `select coalesce(max(id), 0) as last from "${table}"`;
  const { rows } = await connection.execute<{ readonly last: number }>(query, []);
  return rows[0]?.last ?? 0;
}

/**
 * Returns a function that gives the text of an insert for a number of rows. For one row, the statement computes the
 * local id. Several rows get explicit ids, because the rows of one statement may not see each other.
 */
function insertTexts<P>(
  table: TableName,
  columns: readonly string[],
  { conflict }: Options<P>,
): (dialect: Dialect, size: number) => string {
  const { numbered, key }: Table = TABLES[table];
  const texts = new Map<string, string>();
  const make = (dialect: Dialect, size: number): string => {
    let count = 0;
    const value = (): string => (dialect === "sqlite" ? "?" : `$${(count += 1)}`);
    const row = (): string => {
      const id = size > 1 ? value : (): string => nextIdText(table);
      return `(${[...(numbered ? [id()] : []), ...columns.map(value)].join(", ")})`;
    };
    const names = [...(numbered ? ["id"] : []), ...columns].map((name) => `"${name}"`).join(", ");
    const rows = Array.from({ length: size }, row).join(", ");
    return `insert into "${table}" (${names}) values ${rows}${conflictText(conflict, key, columns)}`;
  };
  return (dialect, size) => {
    const name = `${dialect} ${size}`;
    const known = texts.get(name);
    if (known !== undefined) return known;
    const text = make(dialect, size);
    texts.set(name, text);
    return text;
  };
}

function conflictText<P>(
  conflict: Options<P>["conflict"],
  key: readonly string[],
  columns: readonly string[],
): string {
  if (conflict === undefined) return "";
  const others = columns.filter((column) => !key.includes(column));
  const set =
    conflict === "replace"
      ? others.map((column) => `"${column}" = excluded."${column}"`)
      : Object.entries(conflict.set).map(([column, text]) => `"${column}" = ${text}`);
  const of = key.map((column) => `"${column}"`).join(", ");
  return ` on conflict (${of}) do ${set.length === 0 ? "nothing" : `update set ${set.join(", ")}`}`;
}
