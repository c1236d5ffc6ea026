import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";

/** What a statement takes: a list goes to SQLite as JSON text (`json_each`) and to PostgreSQL as an array. */
export type Value = string | number | null | readonly string[] | readonly number[];

export interface Result<O> {
  readonly rows: readonly O[];
  /** Rows that an insert, update or delete touched. */
  readonly changes: number;
}

/**
 * One session with a database. Kysely only builds the statements; they run here, on the session that the caller
 * holds, so no pool or mutex stands between a write and its transaction. On SQLite the promise is already settled
 * when it is returned: what awaits it goes on in a microtask.
 */
export interface Connection {
  readonly dialect: Dialect;
  /** Others wait while a statement runs (SQLite, a reading with a budget): what may run long is `NeedsWorker` here. */
  readonly isShared?: true;
  execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>>;
  close(): Promise<void>;
}

type Buildable<O> = { compile(): CompiledQuery<O> };

/** Runs a query that is built for this one use; what runs often is a `statement` instead. */
export async function all<O>(connection: Connection, query: Buildable<O>): Promise<readonly O[]> {
  const { sql, parameters } = query.compile();
  return (await connection.execute<O>(sql, parameters as readonly Value[])).rows;
}

/** Runs SQL that is written out. The caller names the type of its rows. */
export async function rowsOf<O>(
  connection: Connection,
  query: RawBuilder<unknown>,
): Promise<readonly O[]> {
  const { sql, parameters } = query.compile(builder(connection.dialect));
  return (await connection.execute<O>(sql, parameters as readonly Value[])).rows;
}

/**
 * Statements of which none needs another's answer. PostgreSQL gets the first of each at once and answers in their
 * order, which saves the way there and back; SQLite runs each when it is called, and none after one that failed.
 */
export async function together(
  { dialect }: Connection,
  works: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (dialect === "sqlite") {
    for (const work of works) await work();
    return;
  }
  // All are awaited: none may still be running when the caller undoes what they did.
  const ended = await Promise.allSettled(works.map(async (work) => await work()));
  for (const outcome of ended) if (outcome.status === "rejected") throw outcome.reason;
}

/** The query builder of a dialect. It builds and never runs: running goes through a `Connection`. */
export function builder(dialect: Dialect): Kysely<Tables> {
  return dialect === "sqlite" ? sqliteBuilder() : postgresBuilder();
}

const sqliteBuilder = once(() =>
  buildOnly({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
);

const postgresBuilder = once(() =>
  buildOnly({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
);

function buildOnly(parts: Omit<KyselyDialect, "createDriver">): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => new BuildOnlyDriver() } });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Kysely's own `execute()` must not seem to work: it would run beside the transaction. */
class BuildOnlyDriver implements Driver {
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    throw new Error("build the query and run it with all(connection, query) or statement()");
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
