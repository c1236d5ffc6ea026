import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { startPostgres } from "../../../test/support/postgres-server.ts";

/** A database for one daemon. */
export interface BenchDatabase {
  readonly dsn: string;
  /** How many bytes the vectors take, with their log. The daemon must have stopped. */
  vectorBytes(): Promise<number>;
  drop(): Promise<void>;
}

/** A file in the folder, which the caller deletes. */
export async function sqliteDatabase(folder: string): Promise<BenchDatabase> {
  mkdirSync(folder, { recursive: true });
  const dsn = path.join(folder, "svc.db");
  const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return await Promise.resolve({
    dsn,
    vectorBytes: async () => {
      const file = path.join(folder, "svc.vectors.db");
      return await Promise.resolve(size(file) + size(`${file}-wal`));
    },
    drop: async () => {},
  });
}

/** A database of the server that SVC_TEST_POSTGRES names, or else of a server that is started for it. */
export async function postgresDatabase(): Promise<BenchDatabase> {
  const given = process.env["SVC_TEST_POSTGRES"] ?? "";
  const server = given === "" ? await startPostgres() : undefined;
  const admin = server?.dsn ?? given;
  const name = `svc_bench_meaning_${process.pid}`;
  await query(admin, `create database ${name} template template0`);
  const dsn = new URL(admin);
  dsn.pathname = `/${name}`;
  return {
    dsn: dsn.href,
    vectorBytes: async () => {
      const [row] = await query(
        dsn.href,
        `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
         where relname in ('vector_issue', 'vector_chunk')`,
      );
      return row?.["bytes"] as number;
    },
    drop: async () => {
      await query(admin, `drop database ${name} with (force)`);
      await server?.stop();
    },
  };
}

export async function query(
  dsn: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
