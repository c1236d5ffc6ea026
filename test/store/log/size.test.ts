import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { sqliteDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const LIMIT = 16 * 1024 * 1024;

test("the write-ahead log shrinks again once a long-running reader is gone", async () => {
  const database = await sqliteDatabase();
  const store = await database.open();
  const logBytes = (): number => statSync(`${database.target.dsn}-wal`).size;
  const project = uid(1);
  await log(store, projectCreated(project, "web"));
  const snapshot = await store.openSnapshot();
  let next = 100;
  while (logBytes() < LIMIT + 4 * 1024 * 1024)
    await log(store, created(project, uid(next++), { body: "x".repeat(900_000) }));
  await snapshot.close();
  // The first commit writes the log back, and the next one begins a new log.
  for (let commit = 0; commit < 3; commit++) await log(store, created(project, uid(next++)));
  expect(logBytes()).toBeLessThanOrEqual(LIMIT);
});
