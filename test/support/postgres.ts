import { Client } from "pg";
import { inject, onTestFinished } from "vitest";

export interface FreshPostgres {
  /** An empty database that nobody else uses. */
  readonly dsn: string;
  /** Drops the database and closes its connections. */
  drop(): Promise<void>;
}

/** Makes an empty PostgreSQL database, which is dropped when the test has finished. */
export async function postgresDsn(): Promise<string> {
  const { dsn, drop } = await freshPostgres();
  onTestFinished(drop);
  return dsn;
}

/**
 * Like `postgresDsn`, but for use outside of a test, such as in hooks: the caller drops the database. The database is a
 * copy of the template. It is copied file by file, because PostgreSQL then need not write all of it to its log.
 */
export async function freshPostgres(template = "template0"): Promise<FreshPostgres> {
  const server = inject("postgres");
  const name = `svc_${process.pid}_${++made}`;
  await query(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    dsn: databaseDsn(server, name),
    drop: async () => void (await query(server, `drop database if exists ${name} with (force)`)),
  };
}

let made = 0;

/** The DSN of another database of the same server. */
export function databaseDsn(server: string, name: string): string {
  const dsn = new URL(server);
  dsn.pathname = `/${name}`;
  return dsn.href;
}

/** Runs statements from outside of svc, and returns the rows of the last one. */
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
