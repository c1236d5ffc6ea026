import { Client } from "pg";
import { inject } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { databaseDsn, type FreshPostgres, freshPostgres } from "./postgres.ts";

/** The schema with migrated tables in each copy of the template. */
export const SCHEMA = "svc_1";

/** The schema beside it with the rows that migrations have made. */
export const FIRST_ROWS = "svc_1_first";

/** Makes a PostgreSQL database with migrated tables, which the caller drops. */
export async function migratedPostgres(): Promise<FreshPostgres> {
  template ??= requireTemplate(inject("postgres"), inject("postgresTemplate"));
  return await freshPostgres(await template);
}

let template: Promise<string> | undefined;

/**
 * Makes the database that all test files of a run copy, unless another process has made it: migrating takes ten times
 * as long as copying. It gets its name when it is complete.
 */
async function requireTemplate(server: string, name: string): Promise<string> {
  await connected(server, async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 1) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    await migrate(databaseDsn(server, unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

async function migrate(dsn: string): Promise<void> {
  const store = await openStore({
    ...{ dsn, schema: SCHEMA, clock: systemClock, ids: systemIds(), timezone: "UTC" },
  });
  await store.close();
  await connected(dsn, async (client) => {
    // Every copy gets an instance uid of its own when it is opened.
    await client.query(`delete from ${SCHEMA}.meta where key = 'instance_uid'`);
    await client.query(`create schema ${FIRST_ROWS}`);
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = '${SCHEMA}'`,
    );
    for (const { name } of rows) {
      const { rowCount } = await client.query(`select 1 from ${SCHEMA}.${name} limit 1`);
      if (rowCount !== 0)
        await client.query(`create table ${FIRST_ROWS}.${name} as table ${SCHEMA}.${name}`);
    }
  });
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
