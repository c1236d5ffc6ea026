import type SqliteDatabase from "better-sqlite3";
import type { Budget } from "../../base/budget.ts";
import type { Connection, Result, Value } from "../connection.ts";
import { translated } from "../errors.ts";

/**
 * The maximum number of prepared statements in a connection's cache. It is needed because some queries have very many
 * forms.
 */
const STATEMENTS = 500;

export async function snapshotConnection(
  open: typeof SqliteDatabase,
  path: string,
): Promise<Connection> {
  const connection = readConnection(open, path);
  // A snapshot reads each table once from end to end, so most pages are not read again.
  connection.database.pragma("cache_size = -4096");
  await connection.execute("begin", []);
  // The first read fixes the state that the transaction sees.
  await connection.execute("select one from log_head", []);
  return connection;
}

export function readConnection(open: typeof SqliteDatabase, path: string): SqliteConnection {
  const reader = new open(path, { readonly: true, timeout: 5000 });
  reader.pragma("cache_size = -32768");
  reader.pragma("temp_store = MEMORY");
  return new SqliteConnection(reader);
}

export class SqliteConnection implements Connection {
  readonly dialect = "sqlite";
  readonly database: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();

  constructor(database: SqliteDatabase.Database) {
    this.database = database;
  }

  async execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    try {
      const statement = this.#statement(sql);
      const bound = values.some(Array.isArray) ? values.map(flatValue) : values;
      if (statement.reader) return { rows: statement.all(bound) as O[], changes: 0 };
      return { rows: [], changes: statement.run(bound).changes };
    } catch (error) {
      throw translated(error);
    }
  }

  /**
   * A connection for reads on the daemon's own thread. It fetches rows one by one, and throws `NeedsWorker` at the row
   * that exceeds the budget.
   */
  within(budget: Budget): Connection {
    return {
      dialect: this.dialect,
      isShared: true,
      execute: async <O>(sql: string, values: readonly Value[]) => ({
        rows: this.#rowsWithin<O>(sql, values, budget),
        changes: 0,
      }),
      close: async () => await this.close(),
    };
  }

  #rowsWithin<O>(sql: string, values: readonly Value[], budget: Budget): O[] {
    const rows: O[] = [];
    try {
      for (const row of this.#statement(sql).iterate(...values.map(flatValue))) {
        budget.spend(row as object);
        rows.push(row as O);
      }
    } catch (error) {
      throw translated(error);
    }
    return rows;
  }

  #statement(sql: string): SqliteDatabase.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(stableSql(sql));
    if (this.#statements.size >= STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async close(): Promise<void> {
    if (this.database.open) this.database.close();
  }
}

/**
 * Writes each parameter as `+?`, which has the same value. If a plain `?` were compared with a column of a join, SQLite
 * (with STAT4) would plan the query again at each execution, which takes ten times as long as the query. Our SQL
 * contains no other question marks.
 */
function stableSql(sql: string): string {
  return sql.replaceAll("?", "+?");
}

function flatValue(value: Value): string | number | Uint8Array | null {
  const isList = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
  return isList ? JSON.stringify(value) : value;
}
