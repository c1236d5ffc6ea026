import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { writesFound } from "../../src/archive/storage-checks.ts";
import { writingSession } from "../../src/store/postgres/writer.ts";
import { LOCKS, writeLockName } from "../../src/store/write-lock/locks.ts";
import { postgresDsn } from "../support/postgres.ts";

const SESSION = { pid: 7, client: "10.0.0.5" };

test.each([
  ["nobody writes", undefined, "ok", "no write is under way"],
  [
    "a write has just begun",
    { ...SESSION, working: false, seconds: 9 },
    "ok",
    "the session 7 of 10.0.0.5 is writing",
  ],
  [
    "a large write works",
    { ...SESSION, working: true, seconds: 10 },
    "warning",
    "the session 7 of 10.0.0.5 has been writing for 10 seconds; other writes wait",
  ],
  [
    "a session is idle and keeps the lock",
    { ...SESSION, client: null, working: false, seconds: 10 },
    "failed",
    "the session 7 of the server's own machine has held the write lock for 10 seconds and does nothing; other writes wait",
  ],
])("doctor reports that %s", (_, writing, status, summary) => {
  expect(writesFound(writing)).toMatchObject({ status, summary });
});

test("doctor names the session that holds the write lock, while it holds it", async () => {
  const dsn = await postgresDsn();
  const schema = "svc";
  const writer = new Client({ connectionString: dsn });
  await writer.connect();
  onTestFinished(async () => await writer.end());
  expect(await writingSession({ dsn, schema })).toBeUndefined();
  await writer.query("begin");
  const locked = await writer.query<{ pid: number }>(
    "select pg_advisory_xact_lock($1, hashtext($2)), pg_backend_pid() as pid",
    [LOCKS, writeLockName(schema)],
  );
  expect(await writingSession({ dsn, schema })).toMatchObject({
    pid: locked.rows[0]?.pid,
    working: false,
  });
  await writer.query("commit");
  expect(await writingSession({ dsn, schema })).toBeUndefined();
});
