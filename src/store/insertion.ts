import type { Connection, Dialect, Value } from "./connection.ts";
import type { Tables } from "./schema.ts";
import { type Deferrable, WriteBehind } from "./write-behind.ts";

interface Options<P> {
  readonly rank: number;
  /** Rows get the next local ids of their table, in the order in which they come. */
  readonly numbered?: boolean;
  /** Of two rows with one key that wait together the later one is written. */
  readonly key?: readonly (keyof P & string)[];
  readonly conflict?: Conflict<P>;
}

interface Conflict<P> {
  readonly key: readonly (keyof P & string)[];
  /** What becomes of the row that is there: SQL by column; `excluded` is the new row. */
  readonly set: Readonly<Record<string, string>>;
  /** Of two rows with the same key, the merged one, where that is not simply the later one. */
  readonly joined?: (earlier: P, later: P) => P;
}

export interface Insertion<P> extends Deferrable<P> {
  /** At once, or held back where the connection does that. */
  run(connection: Connection, row: P): Promise<void>;
}

/**
 * Rows of one statement: a batch of any size is made of a few statements, each prepared once. 500 are a portion of an
 * import; the widest table has 25 columns, and SQLite takes 32,766 values, PostgreSQL 65,535.
 */
const SIZES = [500, 64, 16, 4, 1] as const;

/** An insert of one row or of many: PostgreSQL pays a round trip for each statement, SQLite a journal of its own. */
export function insertion<P>(
  table: keyof Tables,
  columns: readonly (keyof P & string)[],
  options: Options<P>,
): Insertion<P> {
  const texts = insertTexts(table, columns, options);
  const numbered = options.numbered === true;

  const write = async (connection: Connection, rows: readonly P[]): Promise<void> => {
    const last = numbered && rows.length > 1 ? await lastId(connection, table) : 0;
    const sent: Promise<unknown>[] = [];
    for (const { from, size } of slices(rows.length)) {
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
    await ended(sent);
  };

  const { key = options.conflict?.key, conflict: { joined } = {} } = options;
  const self: Insertion<P> = {
    rank: options.rank,
    sendsAtOnce: (rows) => !numbered || rows <= 1,
    write,
    keyOf: (row) => key?.map((column) => String(row[column])).join("\u0001"),
    joined: joined ?? ((_earlier, later) => later),
    run: async (connection, row) => {
      if (connection instanceof WriteBehind) await connection.hold(self, row);
      else await write(connection, [row]);
    },
  };
  return self;
}

/** All are awaited: none may still be running when the caller undoes what they did. */
async function ended(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements))
    if (outcome.status === "rejected") throw outcome.reason;
}

function* slices(count: number): Generator<{ readonly from: number; readonly size: number }> {
  let from = 0;
  for (const size of SIZES) {
    for (; count - from >= size; from += size) yield { from, size };
  }
}

async function lastId(connection: Connection, table: keyof Tables): Promise<number> {
  const query = `select coalesce(max(id), 0) as last from "${table}"`;
  const { rows } = await connection.execute<{ readonly last: number }>(query, []);
  return rows[0]?.last ?? 0;
}

/** One row finds its id in the statement itself; many are given theirs, since each would see the ones before it or not. */
function insertTexts<P>(
  table: keyof Tables,
  columns: readonly string[],
  { numbered = false, conflict }: Options<P>,
): (dialect: Dialect, size: number) => string {
  const made = new Map<string, string>();
  const make = (dialect: Dialect, size: number): string => {
    let count = 0;
    const value = (): string => (dialect === "sqlite" ? "?" : `$${(count += 1)}`);
    const row = (): string => {
      const id =
        size > 1 ? value : (): string => `(select coalesce(max(id), 0) + 1 from "${table}")`;
      return `(${[...(numbered ? [id()] : []), ...columns.map(value)].join(", ")})`;
    };
    const names = [...(numbered ? ["id"] : []), ...columns].map((name) => `"${name}"`).join(", ");
    const rows = Array.from({ length: size }, row).join(", ");
    return `insert into "${table}" (${names}) values ${rows}${conflictText(conflict)}`;
  };
  return (dialect, size) => {
    const name = `${dialect} ${size}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const text = make(dialect, size);
    made.set(name, text);
    return text;
  };
}

function conflictText<P>(conflict: Conflict<P> | undefined): string {
  if (conflict === undefined) return "";
  const key = conflict.key.map((column) => `"${column}"`).join(", ");
  const set = Object.entries(conflict.set).map(([column, text]) => `"${column}" = ${text}`);
  return ` on conflict (${key}) do update set ${set.join(", ")}`;
}
