import type { Client } from "pg";
import { onTestFinished } from "vitest";
import type { FreshPostgres } from "./postgres.ts";
import { connected, FIRST_ROWS, migratedPostgres, SCHEMA } from "./postgres-template.ts";

/** A database with migrated tables. */
interface Database extends FreshPostgres {
  /** What the catalog said of its tables before any test used it. */
  readonly tables: string;
  /** The statements that give its tables their first rows again. */
  readonly reset: string;
}

/** Tables that grew beyond this stay large when their rows are deleted, and would change how statements are planned. */
const MAX_TABLE_BYTES = 256 * 1024;

/**
 * The PostgreSQL databases that tests use, one after the other. A test's database is emptied and used again, because
 * that takes less time than a copy of the template. It is not used again if the test altered its tables, filled them or
 * left somebody who holds them.
 */
export class PostgresDatabases {
  readonly #made: Database[] = [];
  readonly #free: Database[] = [];

  async close(): Promise<void> {
    for (const { drop } of this.#made) await drop();
  }

  /** Returns a database with its first rows, until the test has finished. `reset` gives it these rows again. */
  async take(): Promise<{
    readonly dsn: string;
    readonly schema: string;
    reset(): Promise<void>;
  }> {
    const database = this.#free.pop() ?? (await this.#make());
    const { dsn } = database;
    onTestFinished(async () => {
      if (await connected(dsn, async (client) => await isReset(client, database)))
        this.#free.push(database);
    });
    const reset = async () =>
      await connected(dsn, async (client) => void (await client.query(database.reset)));
    return { dsn, schema: SCHEMA, reset };
  }

  async #make(): Promise<Database> {
    const fresh = await migratedPostgres();
    const catalog = await connected(fresh.dsn, async (client) => {
      return { reset: await resetOf(client), tables: await catalogOf(client) };
    });
    const database = { ...fresh, ...catalog };
    this.#made.push(database);
    return database;
  }
}

async function isReset(client: Client, { tables, reset }: Database): Promise<boolean> {
  try {
    if ((await catalogOf(client)) !== tables || (await isHeld(client))) return false;
    await client.query(reset);
    return true;
  } catch {
    await client.query("rollback");
    return false;
  }
}

/** Says whether a session that the test left behind holds locks, such as the one for writes. */
async function isHeld(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_locks where pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount !== 0;
}

/** Returns a text that changes when a table, column, index, constraint or trigger does, and when a table is large. */
async function catalogOf(client: Client): Promise<string> {
  const of = `(select oid from pg_class where relnamespace = '${SCHEMA}'::regnamespace)`;
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(',',
      (select string_agg(concat(oid, ':', xmin, pg_relation_size(oid) > ${MAX_TABLE_BYTES}), ',' order by oid)
        from pg_class where relnamespace = '${SCHEMA}'::regnamespace),
      (select string_agg(xmin::text, ',' order by attrelid, attnum) from pg_attribute where attrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_constraint where conrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_trigger where tgrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_proc where pronamespace = '${SCHEMA}'::regnamespace)
    ) as text`,
  );
  return rows.map(({ text }) => text).join();
}

/** Returns the statements that put the first rows back. */
async function resetOf(client: Client): Promise<string> {
  const named = async (what: string, from: string, schema = SCHEMA) => {
    const where = `where schemaname = '${schema}'`;
    const { rows } = await client.query<{ name: string }>(
      `select ${what} as name from ${from} ${where}`,
    );
    return rows.map(({ name }) => name);
  };
  const tables = await named("tablename", "pg_tables");
  const filled = await named("tablename", "pg_tables", FIRST_ROWS);
  const sequences = await named("sequencename", "pg_sequences");
  return [
    "begin",
    "set local lock_timeout = '1s'",
    // Rows are deleted without looking at the order of foreign keys.
    "set local session_replication_role = replica",
    ...tables.map((table) => `delete from ${SCHEMA}.${table}`),
    ...filled.map((table) => `insert into ${SCHEMA}.${table} table ${FIRST_ROWS}.${table}`),
    ...sequences.map((sequence) => `select setval('${SCHEMA}.${sequence}', 1, false)`),
    "commit",
  ].join(";");
}
