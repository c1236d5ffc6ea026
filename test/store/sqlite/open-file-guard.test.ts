import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { openSnapshot, openStore } from "../../../src/store/open.ts";
import { FileContent, lastEventIdIn } from "../../../src/store/sqlite/file-content.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { created, log, projectCreated, uid } from "../drafts.ts";

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

async function served(dsn?: string) {
  const path = dsn ?? (await sqliteDatabase()).target.dsn;
  const lock = { held: true };
  const store = await openStore({ ...options, dsn: path, lockHeld: () => lock.held });
  onTestFinished(async () => await store.close());
  await project(store, 1);
  return { path, store, lock };
}

async function project(store: AdminStore, number: number): Promise<void> {
  await log(store, projectCreated(uid(number), `p${number}`));
}

async function projectsAt(dsn: string): Promise<readonly string[]> {
  const snapshot = await openSnapshot({ dsn });
  const names: string[] = [];
  for await (const { name } of snapshot.rows("project")) names.push(name);
  expect(await snapshot.integrity()).toEqual([]);
  await snapshot.close();
  return names;
}

/** Makes a copy of everything that is committed. */
function backedUp(path: string): string {
  const copy = `${path}.backup-${performance.now()}`;
  const database = new Database(path);
  database.prepare("vacuum into ?").run(copy);
  database.close();
  return copy;
}

const LOSSES: readonly [string, string, (path: string) => void][] = [
  ["deleted", "database_gone", (path) => rmSync(path)],
  ["moved away", "database_gone", (path) => renameSync(path, `${path}.moved`)],
  ["replaced by another file", "database_replaced", (path) => renameSync(backedUp(path), path)],
  ["copied over", "database_replaced", (path) => copyFileSync(`${path}.old`, path)],
  ["overwritten with something else", "database_replaced", (path) => writeFileSync(path, "text")],
  ["left without its log", "database_log_gone", (path) => rmSync(`${path}-wal`)],
  ["left without its index", "database_log_gone", (path) => rmSync(`${path}-shm`)],
];

describe("the file of a served database", () => {
  test.each(LOSSES)(
    "a database file that was %s accepts no more writes",
    async (_, reason, lose) => {
      const { path, store } = await served();
      copyFileSync(backedUp(path), `${path}.old`);
      // The later changes are in the main file, so the copy is an older state.
      await project(store, 2);
      const shell = new Database(path);
      shell.pragma("wal_checkpoint(passive)");
      shell.close();
      await project(store, 3);
      lose(path);
      await expect(project(store, 4)).rejects.toMatchObject({
        code: "unavailable",
        data: { reason },
      });
      await expect(store.lost).resolves.toMatchObject({ data: { reason } });
      await expect(project(store, 5)).rejects.toMatchObject({ data: { reason } });
    },
  );

  test("a database file that was moved away contains every acknowledged write once the daemon has ended", async () => {
    const { path, store } = await served();
    renameSync(path, `${path}.moved`);
    await expect(project(store, 2)).rejects.toMatchObject({ data: { reason: "database_gone" } });
    await store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await projectsAt(`${path}.moved`)).toEqual(["p1"]);
  });

  test("a database file that lost its write-ahead log still contains every acknowledged write", async () => {
    const { path, store } = await served();
    rmSync(`${path}-wal`);
    await expect(project(store, 2)).rejects.toMatchObject({
      data: { reason: "database_log_gone" },
    });
    await store.close();
    expect(await projectsAt(path)).toEqual(["p1"]);
  });

  test("a database file that was overwritten by a copy keeps the content of the copy, and the write-ahead log is put aside", async () => {
    const { path, store } = await served();
    const old = backedUp(path);
    await project(store, 2);
    copyFileSync(old, path);
    await expect(project(store, 3)).rejects.toMatchObject({
      data: { reason: "database_replaced" },
    });
    await store.close();
    expect(readFileSync(path).equals(readFileSync(old))).toBe(true);
    expect(existsSync(`${path}-wal.orphaned`)).toBe(true);
    expect(await projectsAt(path)).toEqual(["p1"]);
  });

  test("a database file is recognised as the same after checkpoints, vacuums and writes of other programs", async () => {
    const { path, store } = await served();
    const shell = new Database(path);
    for (const [at, change] of [
      "pragma wal_checkpoint(truncate)",
      "vacuum",
      "pragma wal_checkpoint(restart)",
      "create table theirs (a); insert into theirs values (zeroblob(9000000)); pragma wal_checkpoint(full)",
    ].entries()) {
      shell.exec(change);
      await project(store, 10 + at);
      shell.exec(change.startsWith("create") ? "drop table theirs" : change);
    }
    shell.close();
    await project(store, 20);
    await store.close();
    expect(await projectsAt(path)).toEqual(["p1", "p10", "p11", "p12", "p13", "p20"]);
  });

  test("a database file is recognised as the same when a commit reaches it during the check", async () => {
    const { path, store } = await served();
    await store.close();
    const database = new Database(path);
    const other = new Database(path);
    other.pragma("journal_mode = wal");
    other.exec("update log_head set last_event_id = 7");
    const files = [openSync(path, "r"), openSync(`${path}-wal`, "r")] as const;
    onTestFinished(() => {
      for (const opened of [database, other]) opened.close();
      for (const file of files) closeSync(file);
    });
    const meanwhile: (() => void)[] = [];
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      const get = (): unknown => {
        const row = statement.get();
        if (sql.includes("last_event_id")) meanwhile.pop()?.();
        return row;
      };
      return { get };
    };
    const looking = Object.assign(Object.create(database), { prepare });
    const content = new FileContent(...files, looking);
    meanwhile.push(() => {
      other.exec("update log_head set last_event_id = 8");
      other.pragma("wal_checkpoint(passive)");
    });
    expect(content.isOurs()).toBe(true);
    expect(meanwhile).toEqual([]);
    copyFileSync(path, `${path}.old`);
    other.exec("update log_head set last_event_id = 9");
    other.pragma("wal_checkpoint(passive)");
    expect(content.isOurs()).toBe(true);
    copyFileSync(`${path}.old`, path);
    expect(content.isOurs()).toBe(false);
  });

  test("a database file is recognised as the same when the log was written and emptied between two checks, as by a purge", async () => {
    const { path, store } = await served();
    await store.close();
    const database = new Database(path);
    database.pragma("journal_mode = wal");
    database.exec("update log_head set last_event_id = 7");
    const files = [openSync(path, "r"), openSync(`${path}-wal`, "r")] as const;
    onTestFinished(() => {
      database.close();
      for (const file of files) closeSync(file);
    });
    database.pragma("wal_checkpoint(truncate)");
    const content = new FileContent(...files, database);
    expect(content.isOurs()).toBe(true);
    database.exec("create table more (a); update log_head set last_event_id = 8");
    database.pragma("wal_checkpoint(truncate)");
    expect(content.isOurs()).toBe(true);
  });

  test("a database file accepts no write after the symbolic link to the file was pointed elsewhere", async () => {
    const real = (await sqliteDatabase()).target.dsn;
    const link = `${real}.link`;
    symlinkSync(real, link);
    const { store } = await served(link);
    copyFileSync(real, `${real}.other`);
    rmSync(link);
    symlinkSync(`${real}.other`, link);
    await expect(project(store, 2)).rejects.toMatchObject({
      data: { reason: "database_replaced" },
    });
  });

  test("a database file accepts no write once another process holds the daemon's lock", async () => {
    const { store, lock } = await served();
    lock.held = false;
    await expect(project(store, 2)).rejects.toMatchObject({
      data: { reason: "database_lock_gone" },
    });
  });

  test("a database file may get a second hard link", async () => {
    const { path, store } = await served();
    linkSync(path, join(`${path}.second`));
    await expect(project(store, 2)).resolves.toBeUndefined();
  });
});

test.each([0, 1, 2, 127, 128, 32_768, 8_388_608, 2 ** 31, 2 ** 40, 2 ** 48])(
  "the last event %i is read from the page that holds it",
  async (last) => {
    const path = (await sqliteDatabase()).target.dsn;
    const database = new Database(path);
    database.prepare("update log_head set last_event_id = ?").run(last);
    database.pragma("wal_checkpoint(truncate)");
    const page = database
      .prepare<[], number>("select rootpage from sqlite_schema where name = 'log_head'")
      .pluck()
      .get();
    database.close();
    const at = ((page ?? 0) - 1) * 4096;
    expect(lastEventIdIn(readFileSync(path).subarray(at, at + 4096))).toBe(last);
  },
);

test("while the files cannot be checked, writes are refused and the store continues; a commit made then has an unknown outcome", async () => {
  const { dsn } = (await sqliteDatabase()).target;
  const folder = join(dirname(dsn), "folder");
  const lead = (to: string): void => {
    rmSync(folder, { force: true });
    symlinkSync(to, folder);
  };
  lead(dirname(dsn));
  const { store } = await served(join(folder, basename(dsn)));
  const unseen = { code: "unavailable", data: { reason: "database_unseen" } };
  // After this commit the log is long enough to be written back.
  const written = store.write(async (tx) => {
    const body = "x".repeat(900_000);
    for (let at = 0; at < 20; at += 1) await tx.append(created(uid(1), uid(100 + at), { body }));
    lead(folder);
  });
  await expect(written).rejects.toMatchObject({ ...unseen, code: "outcome_unknown" });
  await expect(project(store, 2)).rejects.toMatchObject(unseen);
  lead(dirname(dsn));
  await project(store, 3);
});
