import { copyFileSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { openStore } from "../../../src/store/open.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const LIMIT = 16 * 1024 * 1024;

async function served() {
  const { dsn } = (await sqliteDatabase()).target;
  const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
  const store = await openStore({ ...options, dsn, lockHeld: () => true });
  onTestFinished(async () => await store.close());
  const project = uid(1);
  await log(store, projectCreated(project, "web"));
  let next = 100;
  return {
    store,
    dsn,
    bytes: () => statSync(dsn).size,
    logBytes: () => statSync(`${dsn}-wal`).size,
    async grow(): Promise<void> {
      await log(store, created(project, uid(next++), { body: "x".repeat(900_000) }));
    },
  };
}

function writtenBeside(dsn: string): void {
  const other = new Database(dsn);
  other.pragma("wal_autocheckpoint = 0");
  other.exec("create table if not exists theirs (a)");
  other.exec("insert into theirs values (zeroblob(20000000))");
  other.close();
}

/** Replaces the database by another file. Returns the content of that file. */
function replacedAt(dsn: string): Buffer {
  copyFileSync(dsn, `${dsn}.copy`);
  renameSync(`${dsn}.copy`, dsn);
  return readFileSync(dsn);
}

test("a long write-ahead log is written back by a thread, and not by the commits of a daemon", async () => {
  const { bytes, logBytes, grow } = await served();
  const before = bytes();
  while (logBytes() < LIMIT) await grow();
  // The commit that made the log long enough has just resolved, in the same turn of the event loop.
  expect(bytes()).toBe(before);
  await grow();
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(before), { timeout: 10_000 });
});

test("the thread truncates the file of a long write-ahead log once no reader needs it", async () => {
  const { store, logBytes, grow } = await served();
  const snapshot = await store.openSnapshot();
  while (logBytes() < 2 * LIMIT) await grow();
  await snapshot.close();
  while (logBytes() >= 2 * LIMIT) await grow();
  expect(logBytes()).toBeLessThan(LIMIT);
});

test("a store that closes waits for the thread, and everything written is in the file", async () => {
  const { store, logBytes, grow } = await served();
  while (logBytes() < LIMIT) await grow();
  await grow();
  await store.close();
  expect(() => logBytes()).toThrow("no such file");
});

test("a write-ahead log that a reader kept long until the end is written back by the thread, not at closing", async () => {
  const { store, bytes, logBytes, grow } = await served();
  const snapshot = await store.openSnapshot();
  while (logBytes() < 2 * LIMIT) await grow();
  // The second pause begins when the attempt after the first one has ended. The next attempt is due after many more
  // pages.
  for (let pauses = 0; pauses < 2; pauses++) await store.pauseWrites(async () => undefined);
  await snapshot.close();
  const before = bytes();
  let isClosed = false;
  const closing = store.close().then(() => {
    isClosed = true;
  });
  let hasGrown = false;
  while (!isClosed) {
    hasGrown ||= bytes() > before;
    await yieldToLoop();
  }
  await closing;
  expect(hasGrown).toBe(true);
});

test("after another connection wrote during a pause, its write-ahead log is written back", async () => {
  const { store, bytes, dsn, grow } = await served();
  const before = bytes();
  const held = store.pauseWrites(async () => {
    writtenBeside(dsn);
    return undefined;
  });
  await Promise.all([held, grow()]);
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(before + LIMIT), 20_000);
});

test("a second pause begins while the log of the first is written back, and a third waits until that is done", async () => {
  const { store, bytes, dsn } = await served();
  const before = bytes();
  const begun: number[] = [];
  for (let pauses = 0; pauses < 3; pauses++)
    await store.pauseWrites(async () => {
      begun.push(bytes());
      writtenBeside(dsn);
      return undefined;
    });
  expect(begun.slice(0, 2)).toEqual([before, before]);
  expect(begun[2]).toBeGreaterThan(before + LIMIT);
});

test("a file that replaces the database during a long write gets no pages of the old write-ahead log", async () => {
  const { store, dsn, grow } = await served();
  let replaced: Buffer = Buffer.alloc(0);
  const held = store.pauseWrites(async () => {
    writtenBeside(dsn);
    replaced = replacedAt(dsn);
    return undefined;
  });
  const gone = { data: { reason: "database_replaced" } };
  await expect(held).rejects.toMatchObject(gone);
  await expect(grow()).rejects.toMatchObject(gone);
  expect(readFileSync(dsn).equals(replaced)).toBe(true);
});

test("the thread does not touch a file that replaced the one the daemon has open", async () => {
  const { dsn } = await served();
  writtenBeside(dsn);
  const { dev, ino } = statSync(dsn);
  const replaced = replacedAt(dsn);
  const file = join(import.meta.dirname, "../../../src/store/sqlite/checkpoint.ts");
  const thread = new Worker(file, { workerData: { path: dsn, dev, ino } });
  thread.postMessage("checkpoint");
  await new Promise((resolve) => thread.once("exit", resolve));
  expect(readFileSync(dsn).equals(replaced)).toBe(true);
});

test("writes continue if the system provides no thread, and a later log is written back", async () => {
  const { store, bytes, logBytes, grow } = await served();
  const before = bytes();
  const threads = vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
    throw new Error("ERR_WORKER_INIT_FAILED");
  });
  onTestFinished(() => threads.mockRestore());
  while (logBytes() < LIMIT) await grow();
  await Promise.all([store.pauseWrites(async () => undefined), grow()]);
  expect(bytes()).toBe(before);
  expect(threads).toHaveBeenCalled();
  threads.mockRestore();
  while (bytes() === before) await grow();
});
