import type { TestProject } from "vitest/node";
import { requireServer, startPostgres } from "./postgres-server.ts";

/**
 * Runs once before all tests: starts a PostgreSQL server for all test files. If SVC_TEST_POSTGRES names a server, that
 * one is used. Without any server the run fails, because half of the store would not be tested.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["SVC_TEST_POSTGRES"] ?? "";
  if (given !== "") {
    await requireServer(given);
    project.provide("postgres", given);
    return async () => {};
  }
  const server = await startPostgres();
  project.provide("postgres", server.dsn);
  return async () => await server.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    /** The DSN of the server's maintenance database; `postgresDsn` makes a database for a test. */
    readonly postgres: string;
  }
}
