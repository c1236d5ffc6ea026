import type { TestProject } from "vitest/node";
import { shareCompiledCode } from "./compiled-code.ts";
import { query } from "./postgres.ts";
import { type PostgresServer, requireServer, startPostgres } from "./postgres-server.ts";

const TEMPLATE = `svc_template_${process.pid}`;

interface Shared {
  server?: Promise<PostgresServer>;
  removeCompiledCode?: () => void;
  /** How many lanes use them. */
  users: number;
}

/** Vitest loads this file once for each lane, so the lanes find what they share in the process. */
const shared: Shared = ((globalThis as { svcTestServer?: Shared }).svcTestServer ??= { users: 0 });

/**
 * Runs once for each lane with a database, before its tests: starts a PostgreSQL server for the test files of all lanes,
 * and makes a folder for the compiled code of the programs that they start.
 * If SVC_TEST_POSTGRES names a server, that one is used. Without any server the run fails, because half of the store
 * would not be tested.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.users += 1;
  shared.removeCompiledCode ??= shareCompiledCode();
  shared.server ??= serverFor(process.env["SVC_TEST_POSTGRES"] ?? "");
  const { dsn, stop } = await shared.server;
  project.provide("postgres", dsn);
  project.provide("postgresTemplate", TEMPLATE);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.removeCompiledCode?.();
    await query(dsn, `drop database if exists ${TEMPLATE} with (force)`);
    await stop();
  };
}

async function serverFor(given: string): Promise<PostgresServer> {
  if (given === "") return await startPostgres();
  await requireServer(given);
  return { dsn: given, stop: async () => {} };
}

declare module "vitest" {
  interface ProvidedContext {
    /** The DSN of the server's maintenance database; `postgresDsn` makes a database for a test. */
    readonly postgres: string;
    /** The database that `migratedPostgres` makes once and copies for each test file. */
    readonly postgresTemplate: string;
  }
}
