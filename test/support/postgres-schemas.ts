import { Client } from "pg";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { type FreshPostgres, freshPostgres } from "./postgres.ts";

/** A schema with migrated tables. */
interface Schema {
  readonly name: string;
  /** What the catalog said of its tables before any test used it. */
  readonly tables: string;
  /** The statements that give its tables their first rows again. */
  readonly reset: string;
}

/** Tables that grew beyond this stay large when their rows are deleted, and would change how statements are planned. */
const MAX_TABLE_BYTES = 256 * 1024;

/**
 * The schemas of one PostgreSQL database that tests use, one after the other. A test's schema is emptied and used again,
 * because migrating one takes longer than most tests. It is not used again if the test altered its tables, filled them
 * or left somebody who holds them.
 */
export class PostgresSchemas {
  readonly #database: FreshPostgres;
  readonly #free: Schema[] = [];
  #made = 0;

  private constructor(database: FreshPostgres) {
    this.#database = database;
  }

  static async open(): Promise<PostgresSchemas> {
    return new PostgresSchemas(await freshPostgres());
  }

  async close(): Promise<void> {
    await this.#database.drop();
  }

  /** Returns a schema with its first rows, until the test has finished. */
  async take(): Promise<{ readonly dsn: string; readonly schema: string }> {
    const { dsn } = this.#database;
    const schema = this.#free.pop() ?? (await this.#make());
    onTestFinished(async () => {
      if (await connected(dsn, async (client) => await isReset(client, schema)))
        this.#free.push(schema);
    });
    return { dsn, schema: schema.name };
  }

  async #make(): Promise<Schema> {
    const { dsn } = this.#database;
    const name = `svc_${++this.#made}`;
    const store = await openStore({
      ...{ dsn, schema: name, clock: systemClock, ids: systemIds(), timezone: "UTC" },
    });
    await store.close();
    return await connected(dsn, async (client) => {
      // Every use of the schema gets an instance uid of its own when it is opened.
      await client.query(`delete from ${name}.meta where key = 'instance_uid'`);
      const reset = await resetOf(client, name);
      return { name, tables: await catalogOf(client, name), reset };
    });
  }
}

/** Each piece of work has its own connection, because tests end all connections of the database. */
async function connected<T>(dsn: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function isReset(client: Client, { name, tables, reset }: Schema): Promise<boolean> {
  try {
    if ((await catalogOf(client, name)) !== tables || (await isHeld(client))) return false;
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
async function catalogOf(client: Client, schema: string): Promise<string> {
  const of = `(select oid from pg_class where relnamespace = '${schema}'::regnamespace)`;
  const { rows } = await client.query<{ text: string }>(
    `select concat_ws(',',
      (select string_agg(concat(oid, ':', xmin, pg_relation_size(oid) > ${MAX_TABLE_BYTES}), ',' order by oid)
        from pg_class where relnamespace = '${schema}'::regnamespace),
      (select string_agg(xmin::text, ',' order by attrelid, attnum) from pg_attribute where attrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_constraint where conrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_trigger where tgrelid in ${of}),
      (select string_agg(xmin::text, ',' order by oid) from pg_proc where pronamespace = '${schema}'::regnamespace)
    ) as text`,
  );
  return rows.map(({ text }) => text).join();
}

/** Keeps the first rows in a schema beside this one, and returns the statements that put them back. */
async function resetOf(client: Client, schema: string): Promise<string> {
  const named = async (what: string, from: string) => {
    const where = `where schemaname = '${schema}'`;
    const { rows } = await client.query<{ name: string }>(
      `select ${what} as name from ${from} ${where}`,
    );
    return rows.map(({ name }) => name);
  };
  const tables = await named("tablename", "pg_tables");
  const filled: string[] = [];
  await client.query(`create schema ${schema}_first`);
  for (const table of tables) {
    const { rowCount } = await client.query(`select 1 from ${schema}.${table} limit 1`);
    if (rowCount === 0) continue;
    filled.push(table);
    await client.query(`create table ${schema}_first.${table} as table ${schema}.${table}`);
  }
  const sequences = await named("sequencename", "pg_sequences");
  return [
    "begin",
    "set local lock_timeout = '1s'",
    // Rows are deleted without looking at the order of foreign keys.
    "set local session_replication_role = replica",
    ...tables.map((table) => `delete from ${schema}.${table}`),
    ...filled.map((table) => `insert into ${schema}.${table} table ${schema}_first.${table}`),
    ...sequences.map((sequence) => `select setval('${schema}.${sequence}', 1, false)`),
    "commit",
  ].join(";");
}
