import type { TestProject } from "vitest/node";
import { requireServer, startPostgres } from "./postgres-server.ts";

/**
 * Once per run: a PostgreSQL for every test file. A server of one's own is used instead when
 * SVC_TEST_POSTGRES names it. When neither is to be had the run fails: half of the store would
 * go untested.
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
    /** DSN of the server's maintenance database; see `postgresDsn` for one to test on. */
    readonly postgres: string;
  }
}
