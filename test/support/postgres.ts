import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import type {} from "./global.ts";

export interface FreshPostgres {
  /** An empty database nobody else uses. */
  readonly dsn: string;
  /** Drops it, open connections and all. */
  drop(): Promise<void>;
}

/** An empty PostgreSQL database that is dropped when the test that asked for it has finished. */
export async function postgresDsn(): Promise<string> {
  const { dsn, drop } = await freshPostgres();
  onTestFinished(drop);
  return dsn;
}

/** The same for hooks and files, which have no end of a test: the caller drops it. */
export async function freshPostgres(): Promise<FreshPostgres> {
  const server = inject("postgres");
  const name = `svc_${process.pid}_${++made}`;
  await query(server, `create database ${name} template template0`);
  const dsn = new URL(server);
  dsn.pathname = `/${name}`;
  return {
    dsn: dsn.href,
    drop: async () => void (await query(server, `drop database if exists ${name} with (force)`)),
  };
}

let made = 0;

/** Statements of another hand; gives the rows of the last. */
export async function query(
  dsn: string,
  ...statements: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements)
      rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
