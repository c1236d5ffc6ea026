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

/** A statement parameter. A list is sent as JSON text (read by `json_each`) on SQLite and as an array on PostgreSQL. */
export type Value = string | number | Uint8Array | null | readonly string[] | readonly number[];

export interface Result<O> {
  readonly rows: readonly O[];
  readonly changes: number;
}

/**
 * One session with a database. Kysely only builds statements; they run on the session that the caller passes, so no
 * pool can run a statement outside of its transaction. On SQLite the returned promise is already settled.
 */
export interface Connection {
  readonly dialect: Dialect;
  /**
   * Set for SQLite reads on the daemon's own thread. They block all other work, so they are limited (`Budget`), and
   * long queries throw `NeedsWorker`.
   */
  readonly isShared?: true;
  execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>>;
  /**
   * Must be called after a change of the tables: a statement that PostgreSQL has prepared before cannot return other
   * columns.
   */
  readonly tablesChanged?: () => void;
  close(): Promise<void>;
}

type Buildable<O> = { compile(): CompiledQuery<O> };

/** Builds and runs a query once. Use `statement` for a query that runs often. */
export async function all<O>(connection: Connection, query: Buildable<O>): Promise<readonly O[]> {
  const { sql, parameters } = query.compile();
  return (await connection.execute<O>(sql, parameters as readonly Value[])).rows;
}

/** Runs handwritten SQL. Nothing checks that its rows have type `O`. */
export async function rowsOf<O>(
  connection: Connection,
  query: RawBuilder<unknown>,
): Promise<readonly O[]> {
  const { sql, parameters } = query.compile(builder(connection.dialect));
  return (await connection.execute<O>(sql, parameters as readonly Value[])).rows;
}

/**
 * Runs functions whose statements do not need each other's results. PostgreSQL gets the first statement of each
 * function at once, which saves round trips; SQLite runs the functions in order and stops at the first failure.
 */
export async function together(
  { dialect }: Connection,
  works: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (dialect === "sqlite") {
    for (const work of works) await work();
    return;
  }
  await settled(works.map(async (work) => await work()));
}

/** Waits for all statements, then throws the first failure. No statement may still run when the caller rolls back. */
export async function settled(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements))
    if (outcome.status === "rejected") throw outcome.reason;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

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
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Makes Kysely's own `execute()` throw, since it would run outside of the transaction. */
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
