import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { openSnapshot, openStore } from "../../../src/store/open.ts";
import { requireOwnLog } from "../../../src/store/sqlite/own-log.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-own-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies the file and its log as they lie, as `kill -9` leaves them. */
function copied(from: string, to: string): string {
  for (const companion of ["", "-wal"]) {
    rmSync(to + companion, { force: true });
    if (existsSync(from + companion)) copyFileSync(from + companion, to + companion);
  }
  return to;
}

/**
 * Makes a database and returns copies of it, each from while it was open for the first, second, … time. Each time 10
 * projects are added.
 */
async function moments(folder: string, name: string, count: number): Promise<readonly string[]> {
  const path = join(folder, `${name}.db`);
  const copies: string[] = [];
  for (let at = 0; at < count; at++) {
    const store = await openStore({ ...options, dsn: path });
    for (let project = at * 10 + 1; project <= (at + 1) * 10; project++)
      await log(store, projectCreated(uid(project), `${name}-${project}`));
    copies.push(copied(path, join(folder, `${name}-${at}.db`)));
    await store.close();
  }
  return copies;
}

/** Puts a file beside the log of another. */
function mixed(folder: string, file: string | undefined, log: string | undefined): string {
  const path = join(folder, "mixed.db");
  copyFileSync(file ?? "", path);
  copyFileSync(`${log}-wal`, `${path}-wal`);
  return path;
}

describe("a database beside another database's write-ahead log is refused, and both are left unchanged:", () => {
  test.each([
    ["an older copy that was put back", 0, "web", 4],
    ["a newer copy, with a log from before", 4, "web", 1],
    ["the log of another database", 1, "api", 4],
  ])("%s", async (_title, file, other, log) => {
    const folder = scratch();
    const own = await moments(folder, "web", 5);
    const others = other === "web" ? own : await moments(folder, other, 5);
    const path = mixed(folder, own[file], others[log]);
    const bytes = () => [readFileSync(path), readFileSync(`${path}-wal`)];
    const before = bytes();
    const refused = {
      code: "unavailable",
      data: { reason: "database_log_foreign" },
      message: expect.stringContaining(`${path}-wal is not the log of ${path}`),
      hint: expect.stringContaining(`move ${path}-wal and ${path}-shm away first`),
    };
    await expect(openStore({ ...options, dsn: path })).rejects.toMatchObject(refused);
    await expect(openSnapshot({ dsn: path })).rejects.toMatchObject(refused);
    expect(bytes()).toEqual(before);
  });
});

test("a database killed with kill -9 opens with its write-ahead log and contains every acknowledged write", async () => {
  const [, second = ""] = await moments(scratch(), "web", 2);
  const store = await openStore({ ...options, dsn: second });
  expect(await store.read(async ({ events }) => await events.lastId())).toBe(20);
  await store.close();
});

test.each([
  ["in its header", (log: Buffer) => log.subarray(0, 20)],
  ["in a frame", (log: Buffer) => log.subarray(0, log.length - 700)],
  ["by zeros for its last frame", (log: Buffer) => log.fill(0, log.length - 4096)],
  ["before its first byte", () => Buffer.alloc(0)],
])(
  "a write-ahead log that a power failure cut %s is recognised as the file's own",
  async (_title, cut) => {
    const [, second = ""] = await moments(scratch(), "web", 2);
    writeFileSync(`${second}-wal`, cut(readFileSync(`${second}-wal`)));
    expect(() => requireOwnLog(second)).not.toThrow();
  },
);

test("a database's own log is never refused, whatever was written and whenever a checkpoint ended", () => {
  const folder = scratch();
  const step = fc.constantFrom(
    "grow",
    "change",
    "passive",
    "truncate",
    "restart",
    "read",
    "end",
    "reopen",
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const path = join(folder, "any.db");
      for (const companion of ["", "-wal", "-shm"]) rmSync(path + companion, { force: true });
      let database = new Database(path);
      let reader: Database.Database | undefined;
      const begin = () => {
        database.pragma("journal_mode = WAL");
        database.pragma("wal_autocheckpoint = 3");
      };
      begin();
      database.exec("create table t (a text)");
      for (const one of steps) {
        if (one === "grow") database.exec("insert into t values (hex(randomblob(3000)))");
        if (one === "change") database.exec("update t set a = 'x' where rowid = 1");
        if (one === "passive" || one === "truncate" || one === "restart")
          if (reader === undefined) database.pragma(`wal_checkpoint(${one})`);
        if (one === "read" && reader === undefined) {
          reader = new Database(path, { readonly: true });
          reader.exec("begin; select * from t limit 1");
        }
        if (one === "end") {
          reader?.close();
          reader = undefined;
        }
        if (one === "reopen" && reader === undefined) {
          database.close();
          database = new Database(path);
          begin();
        }
        requireOwnLog(copied(path, join(folder, "copy.db")));
      }
      reader?.close();
      database.close();
    }),
    { numRuns: 60 },
  );
});
