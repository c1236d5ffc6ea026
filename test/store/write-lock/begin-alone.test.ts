import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { openStore } from "../../../src/store/open.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { beginAlone } from "../../../src/store/write-lock/begin.ts";
import { LOCKS, writeLockName } from "../../../src/store/write-lock/locks.ts";
import { postgresDsn } from "../../support/postgres.ts";

const SCHEMA = "svc";

/** A session of another program, which holds the lock for writes until it is told to let go. */
async function heldBy(dsn: string) {
  const other = new pg.Client({ connectionString: dsn });
  await other.connect();
  onTestFinished(async () => await other.end());
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock($1, hashtext($2))", [
    LOCKS,
    writeLockName(SCHEMA),
  ]);
  const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { pid: rows[0]?.pid ?? 0, letGo: async () => await other.query("rollback") };
}

async function opened(dsn: string) {
  const backend = await openPostgres({ dsn, schema: SCHEMA, clock: systemClock });
  onTestFinished(async () => await backend.close());
  return backend;
}

test("opening a database gives up when another session never stops writing, and names the session", async () => {
  const dsn = await postgresDsn();
  const { pid, letGo } = await heldBy(dsn);
  const backend = await opened(dsn);
  const connection = await backend.writer();
  await expect(beginAlone(backend, connection, 1)).rejects.toMatchObject({
    code: "busy",
    data: { reason: "lock", pid },
    message: expect.stringMatching(
      new RegExp(
        `^the session ${pid} of .* holds the lock for writes and does nothing, for \\d+ s`,
      ),
    ),
    hint: expect.stringContaining(`pg_terminate_backend(${pid})`),
  });
  // The session is as it was before, so the same store can begin when the other has ended.
  const begun = beginAlone(backend, connection);
  await letGo();
  await begun;
  await connection.execute("rollback", []);
});

test("a daemon does not wait for ever to open a database that another session keeps writing", async () => {
  const dsn = await postgresDsn();
  const { pid } = await heldBy(dsn);
  const options = { dsn, clock: systemClock, ids: systemIds(), timezone: "UTC", schema: SCHEMA };
  await expect(openStore(options)).rejects.toMatchObject({ code: "busy", data: { pid } });
}, 60_000);
