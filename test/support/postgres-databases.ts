import { Client } from "pg";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { FreshPostgres } from "./postgres.ts";
import { FIRST_ROWS, migratedPostgres, SCHEMA } from "./postgres-template.ts";

/** A database with migrated tables. */
interface Database extends FreshPostgres {
  readonly session: Session;
  /** What the catalog said of its tables before any test used it. */
  readonly tables: string;
  /** The statements that give its tables their first rows again. */
  readonly reset: string;
}

/** Tables that grew beyond this stay large when their rows are deleted, and would change how statements are planned. */
const MAX_TABLE_BYTES = 256 * 1024;

const MAX_RELEASE_MS = 200;

/**
 * The PostgreSQL databases that tests use, one after the other. A test's database is emptied and used again, because
 * that takes less time than a copy of the template. It is not used again if the test altered its tables, filled them or
 * left somebody who holds them.
 */
export class PostgresDatabases {
  readonly #made: Database[] = [];
  readonly #free: Database[] = [];

  async close(): Promise<void> {
    for (const { session, drop } of this.#made) {
      await session.close();
      await drop();
    }
  }

  /** Returns a database with its first rows, until the test has finished. `reset` gives it these rows again. */
  async take(): Promise<{
    readonly dsn: string;
    readonly schema: string;
    reset(): Promise<void>;
  }> {
    const database = this.#free.pop() ?? (await this.#make());
    const { dsn, session } = database;
    onTestFinished(async () => {
      if (await isReset(await session.client(), database)) this.#free.push(database);
      else await session.close();
    });
    const reset = async () => void (await (await session.client()).query(database.reset));
    return { dsn, schema: SCHEMA, reset };
  }

  async #make(): Promise<Database> {
    const fresh = await migratedPostgres();
    const session = new Session(fresh.dsn);
    const client = await session.client();
    const database = {
      ...fresh,
      session,
      reset: await resetOf(client),
      tables: await catalogOf(client),
    };
    this.#made.push(database);
    return database;
  }
}

/**
 * A session with a database that stays open between the tests, because a new session costs the server more than the
 * statements that reset the database. Tests that end all sessions of the database end this one too.
 */
class Session {
  readonly #dsn: string;
  #client: Client | undefined;

  constructor(dsn: string) {
    this.#dsn = dsn;
  }

  /** Returns a client that answers, on a new session if the last one has ended. */
  async client(): Promise<Client> {
    try {
      await this.#client?.query("select 1");
    } catch {
      this.#client = undefined;
    }
    this.#client ??= await connect(this.#dsn);
    return this.#client;
  }

  async close(): Promise<void> {
    await this.#client?.end();
    this.#client = undefined;
  }
}

async function connect(dsn: string): Promise<Client> {
  const client = new Client({ connectionString: dsn });
  // An error without a listener would end the process; the next query on the client fails too.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function isReset(client: Client, { tables, reset }: Database): Promise<boolean> {
  try {
    if ((await catalogOf(client)) !== tables || (await isHeld(client))) return false;
    await client.query(reset);
    return true;
  } catch {
    await client.query("rollback").catch(() => undefined);
    return false;
  }
}

/**
 * Says whether a session that the test left behind holds locks, such as the one for writes. The server needs a moment to
 * release the locks of a session that was closed.
 */
async function isHeld(client: Client): Promise<boolean> {
  const end = performance.now() + MAX_RELEASE_MS;
  for (;;) {
    const { rowCount } = await client.query(
      `select 1 from pg_locks where pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())`,
    );
    if (rowCount === 0) return false;
    if (performance.now() > end) return true;
    await systemClock.sleep(5);
  }
}

/**
 * Returns a text that differs after a change of a table, column, index, constraint or trigger, and once a table has
 * become large.
 */
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
