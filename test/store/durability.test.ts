import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { DatabaseStore } from "../../src/store/database-store.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openSnapshot, openStore, parseDsn } from "../../src/store/open.ts";
import { shownDsn } from "../../src/store/postgres/open.ts";
import { SqliteBackend } from "../../src/store/sqlite/backend.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { latest } from "../../src/store/upgrade/migrate.ts";
import { prepare } from "../../src/store/upgrade/prepare.ts";
import { postgresDsn, query } from "../support/postgres.ts";
import { sqliteDatabase } from "../support/store.ts";
import { created, log, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";

const P = uid(1);
const NEWEST = latest(MIGRATIONS);
const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-durable-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function sum(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("a SQLite database", () => {
  test("a SQLite database is written through to the disk at every commit, even if it was opened before", async () => {
    const path = (await sqliteDatabase()).target.dsn;
    for (const opening of ["first", "second"]) {
      const backend = await openSqlite({ path, version: NEWEST });
      const writer = await backend.writer();
      const pragma = async (name: string) =>
        Object.values((await writer.execute<object>(`pragma ${name}`, [])).rows[0] ?? {})[0];
      const found = [
        await pragma("synchronous"),
        await pragma("journal_mode"),
        await pragma("foreign_keys"),
      ];
      expect([opening, ...found]).toEqual([opening, 2, "wal", 1]);
      await backend.close();
    }
  });

  test("a SQLite database is readable by its owner alone, with its folder and its companion files", async () => {
    const path = join(scratch(), "home", "svc.db");
    const store = await openStore({ ...options, dsn: path });
    await log(store, projectCreated(P, "web"));
    const modes = readdirSync(join(path, ".."))
      .sort()
      .map((name) => [name, statSync(join(path, "..", name)).mode & 0o777]);
    expect(modes).toEqual([
      ["svc.db", 0o600],
      ["svc.db-shm", 0o600],
      ["svc.db-wal", 0o600],
    ]);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test.each([
    [
      "a text file",
      (path: string) => writeFileSync(path, "not a database, but longer than a header: ".repeat(9)),
    ],
    ["a short file", (path: string) => writeFileSync(path, "x")],
    [
      "a database of another program",
      (path: string) =>
        new Database(path).exec("create table t (a); insert into t values (1)").close(),
    ],
    [
      "another program's database in WAL mode",
      (path: string) => {
        const other = new Database(path);
        other.pragma("journal_mode = WAL");
        other.exec("create table t (a)").close();
      },
    ],
  ])("%s is refused and left unchanged", async (_, make) => {
    const folder = scratch();
    const path = join(folder, "other.db");
    make(path);
    const before = [sum(path), readdirSync(folder)];
    await expect(openStore({ ...options, dsn: path })).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "database_foreign" },
    });
    await expect(openSnapshot({ dsn: path })).rejects.toMatchObject({
      data: { reason: "database_foreign" },
    });
    expect([sum(path), readdirSync(folder)]).toEqual(before);
  });

  test.each([1, 31, 59])(
    "a SQLite database of schema %i, which was never released, is refused and left unchanged",
    async (version) => {
      const path = (await sqliteDatabase()).target.dsn;
      const older = `${path}.older`;
      copyFileSync(path, older);
      const file = new Database(older);
      file.pragma(`user_version = ${version}`);
      file.pragma("wal_checkpoint(TRUNCATE)");
      file.close();
      const before = sum(older);
      const refusal = {
        code: "unavailable",
        data: { reason: "database_unreleased" },
        message: `${older} has schema version ${version}, which a build before the first release wrote`,
        hint: expect.stringContaining("docs/export.md"),
      };
      await expect(openStore({ ...options, dsn: older })).rejects.toMatchObject(refusal);
      await expect(openSnapshot({ dsn: older })).rejects.toMatchObject(refusal);
      expect(sum(older)).toBe(before);
    },
  );

  test("a SQLite database from a newer version is refused and left unchanged; one of this version opens", async () => {
    const path = (await sqliteDatabase()).target.dsn;
    const newer = `${path}.newer`;
    copyFileSync(path, newer);
    const file = new Database(newer);
    file.pragma(`user_version = ${NEWEST + 1}`);
    file.pragma("wal_checkpoint(TRUNCATE)");
    file.close();
    const before = sum(newer);
    await expect(openStore({ ...options, dsn: newer })).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "database_newer" },
      message: `${newer} has schema version ${NEWEST + 1}; this svc knows versions up to ${NEWEST}`,
    });
    expect(sum(newer)).toBe(before);
    const store = await openStore({ ...options, dsn: path });
    expect(store.schemaVersion).toBe(NEWEST);
    await store.close();
  });

  test("a SQLite database keeps its identity over openings, and an empty file becomes a database", async () => {
    const path = join(scratch(), "svc.db");
    writeFileSync(path, "");
    const first = await openStore({ ...options, dsn: path });
    const { instanceUid } = first;
    await first.close();
    const second = await openStore({ ...options, dsn: `sqlite://${path}` });
    expect(second.instanceUid).toBe(instanceUid);
    await second.close();
  });

  test("a SQLite database that is missing gives no snapshot, and no file is created", async () => {
    const folder = scratch();
    await expect(openSnapshot({ dsn: join(folder, "svc.db") })).rejects.toMatchObject({
      data: { reason: "database_missing" },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a SQLite database whose path is a folder is refused with a plain message", async () => {
    const dsn = scratch();
    await expect(openStore({ ...options, dsn })).rejects.toMatchObject({
      code: "unavailable",
      message: `${dsn} cannot be opened: it is a folder (EISDIR)`,
      hint: "name a file",
    });
  });

  test("a SQLite database whose folder is a file is refused with a plain message", async () => {
    const path = join(scratch(), "file");
    writeFileSync(path, "");
    await expect(openStore({ ...options, dsn: join(path, "svc.db") })).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "database_unreachable" },
    });
  });
});

describe("a full disk", () => {
  /** SQLite reports SQLITE_FULL when a database has its maximum number of pages, as when the disk is full. */
  async function withPages() {
    const path = (await sqliteDatabase()).target.dsn;
    const file = new Database(path);
    const backend = new SqliteBackend(Database, path, file);
    const { instanceUid } = await prepare(backend, MIGRATIONS, options);
    const store = new DatabaseStore({
      ...options,
      backend,
      instanceUid,
      schemaVersion: NEWEST,
      writeKind: "ordinary",
    });
    onTestFinished(async () => await store.close());
    await log(store, projectCreated(P, "web"));
    const room = (pages: number): void => {
      file.pragma(
        `max_page_count = ${Number(file.pragma("page_count", { simple: true })) + pages}`,
      );
    };
    return { store, room };
  }

  const big = (number: number) => created(P, uid(number), { body: "x".repeat(400_000) });

  test("a full disk makes a write fail without acknowledging anything, and later writes work", async () => {
    const { store, room } = await withPages();
    const heard: number[] = [];
    store.onCommit((id) => heard.push(id));
    room(20);
    await expect(store.write(async (tx) => await tx.append(big(101)))).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "disk_full" },
    });
    expect(heard).toEqual([]);
    expect(await store.read(async (reader) => await reader.events.lastId())).toBe(1);
    room(1000);
    const event = await store.write(async (tx) => await tx.append(big(102)));
    expect([event.id, heard]).toEqual([2, [2]]);
    await expectFolded(store);
  });

  test("a full disk keeps those writes of a shared commit that were acknowledged, and none of the others", async () => {
    const { store, room } = await withPages();
    room(20);
    const drafts = [created(P, uid(101)), big(102), created(P, uid(103)), big(104)];
    const results = await Promise.allSettled(
      drafts.map(async (draft) => await store.write(async (tx) => await tx.append(draft))),
    );
    const answered = drafts
      .filter((_, at) => results[at]?.status === "fulfilled")
      .map(({ issue_uid }) => issue_uid);
    const there = await store.read(async (reader) => [
      ...(await reader.issues.many(drafts.map((draft) => draft.issue_uid ?? ""))).keys(),
    ]);
    expect(new Set(there)).toEqual(new Set(answered));
    expect(results[1]?.status).toBe("rejected");
    room(1000);
    await log(store, created(P, uid(105)));
    await expectFolded(store);
  });
});

describe("a PostgreSQL database", () => {
  test("a PostgreSQL database has its tables in a schema of its own, and two schemas are two databases", async () => {
    const dsn = await postgresDsn();
    const [one, other] = [
      await openStore({ ...options, dsn }),
      await openStore({ ...options, dsn, schema: "Second one" }),
    ];
    await log(one, projectCreated(P, "web"));
    expect(await other.read(async (reader) => await reader.projects.list(true))).toEqual([]);
    expect(one.instanceUid).not.toBe(other.instanceUid);
    await Promise.all([one.close(), other.close()]);
    const schemas = await query(
      dsn,
      "select distinct schemaname from pg_tables where tablename = 'issue' order by 1",
    );
    expect(schemas).toEqual([{ schemaname: "Second one" }, { schemaname: "svc" }]);
  });

  test("a PostgreSQL database in a schema with another program's tables is refused and left unchanged", async () => {
    const dsn = await postgresDsn();
    await query(dsn, "create schema svc", "create table svc.other (a int)");
    await expect(openStore({ ...options, dsn })).rejects.toMatchObject({
      data: { reason: "database_foreign" },
    });
    expect(await query(dsn, "select tablename from pg_tables where schemaname = 'svc'")).toEqual([
      { tablename: "other" },
    ]);
  });

  test.each([
    ["newer", NEWEST + 1],
    ["unreleased", 59],
  ])(
    "a PostgreSQL database of a %s schema is refused and left unchanged",
    async (what, version) => {
      const dsn = await postgresDsn();
      await (await openStore({ ...options, dsn })).close();
      await query(dsn, `update svc.meta set value = '${version}' where key = 'schema_version'`);
      const refusal = { data: { reason: `database_${what}` } };
      for (const mode of ["bootstrap", "validate"] as const)
        await expect(openStore({ ...options, dsn, mode })).rejects.toMatchObject(refusal);
      await expect(openSnapshot({ dsn })).rejects.toMatchObject(refusal);
      expect(await query(dsn, "select value from svc.meta where key = 'schema_version'")).toEqual([
        { value: String(version) },
      ]);
    },
  );

  test("a PostgreSQL database on an unreachable server is named without user and password", async () => {
    const dsn = "postgres://ann:secret@127.0.0.1:1/none?sslmode=disable";
    await expect(openStore({ ...options, dsn })).rejects.toMatchObject({
      code: "unavailable",
      message: "postgres://127.0.0.1:1/none cannot be reached (ECONNREFUSED)",
    });
  });
});

describe("a storage DSN", () => {
  test.each([
    ["svc.db", "sqlite"],
    ["/var/lib/svc/svc.db", "sqlite"],
    ["sqlite:///var/lib/svc.db", "sqlite"],
    ["C:\\svc\\svc.db", "sqlite"],
    ["postgres://u:p@h/db", "postgres"],
    ["postgresql://h/db", "postgres"],
    ["POSTGRES://h/db", "postgres"],
  ])("%s names a database of %s", (dsn, dialect) => {
    expect(parseDsn(dsn).dialect).toBe(dialect);
  });

  test.each(["mysql://h/db", "file:///x", "http://h"])("%s is refused", (dsn) => {
    expect(() => parseDsn(dsn)).toThrow(/begins with postgres/);
  });

  test("a storage DSN of a server is shown without user, password and options", () => {
    const dsn = "postgres://ann:secret@db.example:5432/svc?sslmode=verify-full&password=x";
    expect(shownDsn(dsn)).toBe("postgres://db.example/svc");
  });

  test("a storage DSN of a file gives a path without escapes and options", () => {
    const location = parseDsn("sqlite:///var/lib/svc%20x.db?mode=ro");
    expect(location).toEqual({ dialect: "sqlite", path: "/var/lib/svc x.db" });
  });
});
