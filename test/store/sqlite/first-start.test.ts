import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import type { Backend } from "../../../src/store/backend.ts";
import type { Value } from "../../../src/store/connection.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openSnapshot, openStore } from "../../../src/store/open.ts";
import { SqliteBackend } from "../../../src/store/sqlite/backend.ts";
import { realDatabasePath } from "../../../src/store/sqlite/database-path.ts";
import { createDatabase, removeLeftTempFiles } from "../../../src/store/sqlite/first-start.ts";
import { schemaTools } from "../../../src/store/upgrade/migrate.ts";
import { prepare } from "../../../src/store/upgrade/prepare.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-first-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a database as svc did before it made databases under a temporary name, ended by a kill at `moment`. */
async function killedAt(
  moment: "file" | "journal mode" | "tables" | "commit",
  path: string,
): Promise<void> {
  const original = `${path}.original`;
  writeFileSync(original, "");
  const writer = new Database(original);
  const kill = (): void => {
    for (const companion of ["", "-wal", "-shm", "-journal"]) {
      if (existsSync(original + companion)) copyFileSync(original + companion, path + companion);
    }
    writer.close();
    for (const companion of ["", "-wal", "-shm", "-journal"])
      rmSync(original + companion, { force: true });
  };
  if (moment === "file") return kill();
  writer.pragma("journal_mode = WAL");
  if (moment === "journal mode") return kill();
  writer.pragma("wal_autocheckpoint = 0");
  const backend = new SqliteBackend(Database, original, writer);
  const connection = await backend.writer();
  if (moment === "tables") {
    // With so little memory, SQLite writes pages to its log before the commit.
    writer.pragma("cache_size = 5");
    await connection.execute("begin immediate", []);
    await MIGRATIONS[0]?.up(schemaTools(connection));
    return kill();
  }
  // Leaves out the checkpoint after the commit.
  const unchecked: Backend = Object.assign(Object.create(backend), {
    writer: async () => ({
      dialect: "sqlite",
      execute: async (sql: string, values: readonly Value[]) =>
        sql.startsWith("pragma wal_checkpoint")
          ? { rows: [], changes: 0 }
          : await connection.execute(sql, values),
      close: async () => undefined,
    }),
    begin: async () => await backend.begin(connection),
  });
  await prepare(unchecked, MIGRATIONS, options);
  kill();
}

/** Returns what the database contains after one write: a project and no damage. */
async function written(path: string) {
  const store = await openStore({ ...options, dsn: path });
  await log(store, projectCreated(uid(1), "web"));
  await store.close();
  const snapshot = await openSnapshot({ dsn: path });
  const names: string[] = [];
  for await (const { name } of snapshot.rows("project")) names.push(name);
  const damage = await snapshot.integrity();
  await snapshot.close();
  return { names, damage };
}

const WHOLE = { names: ["web"], damage: [] };

describe("an interrupted first start of an older svc", () => {
  test.each(["file", "journal mode", "tables", "commit"] as const)(
    "that was killed at the step (%s) is finished by the next start",
    async (moment) => {
      const path = join(scratch(), "svc.db");
      await killedAt(moment, path);
      expect(await written(path)).toEqual(WHOLE);
    },
  );

  test("is reported to a read-only program, with the remedy", async () => {
    const path = join(scratch(), "svc.db");
    await killedAt("journal mode", path);
    await expect(openSnapshot({ dsn: path })).rejects.toMatchObject({
      data: { reason: "database_missing" },
      hint: "svc daemon start makes it",
    });
  });

  test("is distinguished from another program's database whose tables are still in its write-ahead log", async () => {
    const folder = scratch();
    const path = join(folder, "other.db");
    const other = new Database(`${path}.original`);
    other.pragma("journal_mode = WAL");
    other.exec("create table t (a)");
    for (const companion of ["", "-wal"])
      copyFileSync(`${path}.original${companion}`, path + companion);
    other.close();
    rmSync(`${path}.original`);
    const before = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), "hex"),
    ]);
    await expect(openStore({ ...options, dsn: path })).rejects.toMatchObject({
      data: { reason: "database_foreign" },
    });
    const after = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), "hex"),
    ]);
    expect(after).toEqual(before);
  });
});

describe("a new database", () => {
  test("is built beside its final path, and nothing of the draft remains", async () => {
    const folder = scratch();
    const path = join(folder, "svc.db");
    await expect(
      createDatabase(path, async (draft) => {
        writeFileSync(draft, "half");
        expect([existsSync(path), draft]).toEqual([false, `${path}.new-${process.pid}`]);
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    expect(readdirSync(folder)).toEqual([]);
    const store = await openStore({ ...options, dsn: path });
    await store.close();
    expect(readdirSync(folder)).toEqual(["svc.db"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("never replaces a file that appeared meanwhile", async () => {
    const path = join(scratch(), "svc.db");
    await createDatabase(path, async (draft) => {
      writeFileSync(draft, "ours");
      writeFileSync(path, "theirs");
    });
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  test("does not take over the write-ahead log that a deleted database left", async () => {
    const folder = scratch();
    const path = join(folder, "svc.db");
    const old = await openStore({ ...options, dsn: path });
    await log(old, projectCreated(uid(7), "old"));
    for (const companion of ["-wal", "-shm"])
      copyFileSync(path + companion, `${path}${companion}.kept`);
    await old.close();
    rmSync(path);
    for (const companion of ["-wal", "-shm"])
      copyFileSync(`${path}${companion}.kept`, path + companion);
    expect(await written(path)).toEqual(WHOLE);
    expect(readdirSync(folder)).toContain("svc.db-wal.orphaned");
  });

  test("is created at the target of a symbolic link that pointed to nothing", async () => {
    const folder = scratch();
    symlinkSync("far.db", join(folder, "svc.db"));
    expect(realDatabasePath(join(folder, "svc.db"))).toBe(join(folder, "far.db"));
    expect(await written(join(folder, "svc.db"))).toEqual(WHOLE);
    expect(existsSync(join(folder, "far.db"))).toBe(true);
  });

  test("removes the drafts of killed starts, and no other file", () => {
    const folder = scratch();
    for (const name of [
      "svc.db.new-12",
      "svc.db.new-12-wal",
      "svc.db.new-x",
      "svc.db.news",
      "other.db.new-12",
    ])
      appendFileSync(join(folder, name), "");
    removeLeftTempFiles(join(folder, "svc.db"));
    expect(readdirSync(folder).sort()).toEqual(["other.db.new-12", "svc.db.new-x", "svc.db.news"]);
  });
});
