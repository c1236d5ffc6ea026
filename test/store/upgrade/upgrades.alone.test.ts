import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { backupDatabase } from "../../../src/archive/backup.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import { storageChecks } from "../../../src/archive/storage-checks.ts";
import type { Target } from "../../../src/archive/target.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openSnapshot, openStore } from "../../../src/store/open.ts";
import { latest } from "../../../src/store/upgrade/migrate.ts";
import { exportTo, plain } from "../../archive/targets.ts";
import { expectSound } from "../sound.ts";
import { RELEASED } from "./plant-migration.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const NEWEST = latest(MIGRATIONS);
const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

const FILES = readdirSync(FIXTURES)
  .flatMap((name) => /^schema-(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .toSorted((a, b) => a - b);

/** Copies the database that the code of this schema version wrote to a new folder. */
function written(version: number): Target {
  const folder = mkdtempSync(join(tmpdir(), "svc-upgrades-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dsn = join(folder, "svc.db");
  writeFileSync(dsn, gunzipSync(readFileSync(join(FIXTURES, `schema-${version}.db.gz`))));
  return { dialect: "sqlite", dsn };
}

async function upgraded({ dsn }: Target) {
  const store = await openStore({ ...deps, dsn });
  await store.close();
  return store.upgraded;
}

/** Returns titles, owners and counts with SQL that works for every schema version. */
function contentOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    const all = (sql: string): unknown => db.prepare(sql).all();
    return [
      all("select id, uid, short_id, title, body, status, owner, revision, metadata from issue"),
      all("select id, uid, name, metadata from project order by id"),
      all("select id, uid, author, body from comment order by id"),
      all("select issue_uid, label, author from label order by issue_uid, label"),
      all("select id, from_uid, to_uid, type from link order by id"),
      all("select id, uid, type, actor, payload, content_hash from event order by id"),
    ];
  } finally {
    db.close();
  }
}

function metaOf(path: string): Readonly<Record<string, string>> {
  const db = new Database(path, { readonly: true });
  try {
    const rows = db
      .prepare<[], { key: string; value: string }>("select key, value from meta")
      .all();
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  } finally {
    db.close();
  }
}

/** Returns tables and indexes by name, and the statement that makes each index. */
function objectsOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    const text = "case type when 'index' then sql end as text";
    const sql = `select type, name, tbl_name, ${text} from sqlite_schema order by name`;
    return db
      .prepare<[], { readonly text: string | null }>(sql)
      .all()
      .map((row) => ({ ...row, text: row.text?.replaceAll(/\s+/g, " ") }));
  } finally {
    db.close();
  }
}

test("there is a test database of the first release, and of no other version than those of the code", () => {
  expect(FILES[0]).toBe(MIGRATIONS[0]?.version);
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(expect.arrayContaining(FILES));
});

describe.each(FILES)("a database that the code of schema %i wrote", (version) => {
  test("is upgraded without loss, and matches the fold of its log", async () => {
    const target = written(version);
    const before = contentOf(target.dsn);
    await upgraded(target);
    expect(contentOf(target.dsn)).toEqual(before);
    expect(metaOf(target.dsn)).toMatchObject({ planted: "finished", texts_outdated: "1" });
    await expectSound(target);
  });

  test("is upgraded to the same tables and indexes as a new one", async () => {
    const target = written(version);
    await upgraded(target);
    const fresh = join(target.dsn, "..", "fresh.db");
    await (await openStore({ ...deps, dsn: fresh })).close();
    expect(objectsOf(target.dsn)).toEqual(objectsOf(fresh));
  });

  test("is exported and restored byte for byte", async () => {
    const target = written(version);
    await upgraded(target);
    const folder = join(target.dsn, "..");
    const file = join(folder, "one.jsonl");
    const text = await exportTo(target, file);
    const copy: Target = { dialect: "sqlite", dsn: join(folder, "copy.db") };
    await restoreFile(deps, { ...plain, file, target: copy });
    expect(await exportTo(copy, join(folder, "two.jsonl"))).toBe(text);
  });
});

describe.each(FILES)("before the upgrade from schema %i", (version) => {
  test("the database is copied beside itself unchanged, readable by its owner alone", async () => {
    const target = written(version);
    const before = contentOf(target.dsn);
    const { from, to, copy: kept = "" } = (await upgraded(target)) ?? {};
    expect({ from, to }).toEqual({ from: version, to: NEWEST });
    expect(basename(kept)).toMatch(new RegExp(`^svc\\.db\\.before-schema-${NEWEST}-\\d{8}T`));
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(contentOf(kept)).toEqual(before);
    const db = new Database(kept, { readonly: true });
    expect(db.pragma("user_version", { simple: true })).toBe(version);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
    expect(await upgraded(target)).toBeUndefined();
  });

  test("doctor reports the old schema and checks an upgraded copy, and a backup contains everything", async () => {
    const target = written(version);
    const bytes = readFileSync(target.dsn);
    const folder = join(target.dsn, "..");
    const checks = await storageChecks(target, async (id, work) => ({ id, ...(await work()) }));
    const failed = checks.filter(({ status }) => status === "failed");
    expect(failed).toEqual([]);
    expect(checks.find(({ id }) => id === "storage.schema")).toMatchObject({
      status: "warning",
      summary: expect.stringContaining(`of storage schema ${version} and not upgraded yet`),
      fix: expect.stringContaining("svc daemon start"),
    });
    const made = await backupDatabase(target, { ...deps, folder: join(folder, "backups") });
    expect(made.upgraded_from).toBe(version);
    expect(readFileSync(target.dsn).equals(bytes)).toBe(true);
    await upgraded(target);
    expect(await exportTo(target, join(folder, "after.jsonl"))).toBe(
      readFileSync(made.path, "utf8"),
    );
  });

  test("read-only programs refuse the database and name the remedy", async () => {
    await expect(openSnapshot(written(version))).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "database_older" },
      hint: expect.stringContaining("svc daemon start"),
    });
  });
});

test("a failed upgrade leaves the database unchanged, and the next one uses its copy", async () => {
  const target = written(RELEASED);
  const broken = new Database(target.dsn);
  broken.exec("create index planted_title on comment (body)");
  broken.close();
  const before = contentOf(target.dsn);
  await expect(upgraded(target)).rejects.toBeDefined();
  expect(contentOf(target.dsn)).toEqual(before);
  const mended = new Database(target.dsn);
  mended.exec("drop index planted_title");
  mended.close();
  const { copy: kept } = (await upgraded(target)) ?? {};
  const copies = readdirSync(join(target.dsn, "..")).filter((name) => name.includes("before-"));
  expect(copies).toEqual([basename(kept ?? "")]);
});
