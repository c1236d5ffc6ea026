import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { backupDatabase } from "../../../src/archive/backup.ts";
import { exportDatabase } from "../../../src/archive/export.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import { storageChecks } from "../../../src/archive/storage-checks.ts";
import type { Target } from "../../../src/archive/target.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { openStore } from "../../../src/store/open.ts";
import { fingerprintOf } from "../../../src/store/postgres/catalog.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { migratePostgres, postgresState } from "../../../src/store/postgres/upgrade.ts";
import { latest } from "../../../src/store/upgrade/migrate.ts";
import { exportTo, plain } from "../../archive/targets.ts";
import { postgresDsn, query } from "../../support/postgres.ts";
import { expectSound } from "../sound.ts";
import { RELEASED } from "./plant-migration.ts";
import { fixtureSql } from "./postgres-fixture.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const NEWEST = latest(MIGRATIONS);
const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

const FILES = readdirSync(FIXTURES)
  .flatMap((name) => /^schema-(\d+)\.sql\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .toSorted((a, b) => a - b);

/** Makes a database with the tables that the code of this schema version made and filled. */
async function written(version: number): Promise<Target> {
  const dsn = await postgresDsn();
  await query(dsn, fixtureSql(version));
  return { dialect: "postgres", dsn, schema: "svc" };
}

async function upgraded({ dsn }: Target) {
  const store = await openStore({ ...deps, dsn });
  await store.close();
  return store.upgraded;
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-upgrades-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns what every schema version contains. */
async function contentOf({ dsn }: Target, schema = "svc"): Promise<unknown> {
  const all = async (columns: string, table: string, order: string): Promise<unknown> =>
    await query(dsn, `select ${columns} from "${schema}"."${table}" order by ${order}`);
  return [
    await all("id, uid, short_id, title, body, status, owner, revision, metadata", "issue", "id"),
    await all("id, uid, name, metadata", "project", "id"),
    await all("id, uid, author, body", "comment", "id"),
    await all("issue_uid, label, author", "label", "issue_uid, label"),
    await all("id, from_uid, to_uid, type", "link", "id"),
    await all("id, uid, type, actor, payload, content_hash", "event", "id"),
  ];
}

/** Returns the tables, columns, indexes by name, and constraints. */
async function catalogOf({ dsn }: Target, schema = "svc"): Promise<string> {
  const backend = await openPostgres({ dsn, schema, clock: systemClock });
  try {
    return await backend.read(async (connection) => await fingerprintOf(connection, schema));
  } finally {
    await backend.close();
  }
}

async function copiesIn({ dsn, schema = "svc" }: Target) {
  return (await postgresState({ dsn, schema })).copies;
}

test("there are test tables of the first release, and of no other version than those of the code", () => {
  expect(FILES[0]).toBe(MIGRATIONS[0]?.version);
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(expect.arrayContaining(FILES));
});

describe.each(FILES)("tables that the code of schema %i made in PostgreSQL", (version) => {
  test("are upgraded without loss, and match the fold of their log", async () => {
    const target = await written(version);
    const before = await contentOf(target);
    const fresh: Target = { dialect: "postgres", dsn: await postgresDsn(), schema: "svc" };
    await upgraded(fresh);
    await upgraded(target);
    expect(await contentOf(target)).toEqual(before);
    expect(await catalogOf(target)).toBe(await catalogOf(fresh));
    await expectSound(target);
  });

  test("are exported and restored byte for byte", async () => {
    const target = await written(version);
    await upgraded(target);
    const folder = scratch();
    const file = join(folder, "one.jsonl");
    const text = await exportTo(target, file);
    const copy: Target = { dialect: "postgres", dsn: await postgresDsn(), schema: "svc" };
    await restoreFile(deps, { ...plain, file, target: copy });
    expect(await exportTo(copy, join(folder, "two.jsonl"))).toBe(text);
  });

  test("are kept as a copy, which becomes the database again by renaming", async () => {
    const target = await written(version);
    const before = await contentOf(target);
    const catalog = await catalogOf(target);
    const { from, to, copy: kept = "" } = (await upgraded(target)) ?? {};
    expect({ from, to }).toEqual({ from: version, to: NEWEST });
    expect(kept).toMatch(new RegExp(`^svc_before_schema_${NEWEST}_\\d{8}t\\d{6}z$`));
    expect(await copiesIn(target)).toEqual([
      { schema: kept, schema_version: version, bytes: expect.any(Number) },
    ]);
    expect(await contentOf(target, kept)).toEqual(before);
    expect(await catalogOf(target, kept)).toBe(catalog);
    expect(await upgraded(target)).toBeUndefined();
    const folder = scratch();
    const text = await exportTo(target, join(folder, "one.jsonl"));
    // Renames the schemas as docs/export.md says.
    await query(target.dsn, "alter schema svc rename to svc_upgraded");
    await query(target.dsn, `alter schema "${kept}" rename to svc`);
    await query(target.dsn, "drop schema svc_upgraded cascade");
    expect(await contentOf(target)).toEqual(before);
    expect(await copiesIn(target)).toEqual([]);
    expect(await upgraded(target)).toMatchObject({ from: version, to: NEWEST });
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(text);
  });

  test("are refused by read-only programs, which name the remedy", async () => {
    const target = await written(version);
    const folder = scratch();
    const refusal = {
      data: { reason: "database_older" },
      message: expect.stringContaining(`of storage schema ${version} and not upgraded yet`),
      hint: expect.stringContaining("svc storage postgres migrate"),
    };
    const file = join(folder, "out.jsonl");
    const all = { includeDeleted: true, allowDaemon: true, stdout: process.stdout };
    await expect(exportDatabase(target, file, all)).rejects.toMatchObject(refusal);
    await expect(backupDatabase(target, { ...deps, folder })).rejects.toMatchObject(refusal);
    await storageChecks(target, async (_, work) => {
      await expect(work()).rejects.toMatchObject(refusal);
    });
    expect(readdirSync(folder)).toEqual([]);
    const { dsn } = target;
    await expect(openStore({ ...deps, dsn, mode: "validate" })).rejects.toMatchObject({
      data: { reason: "database_older" },
    });
    expect(await postgresState({ dsn: target.dsn, schema: "svc" })).toMatchObject({
      tables: "older",
      schemaVersion: version,
    });
  });
});

test("when many daemons start at once, one upgrades and one copy is made", async () => {
  const target = await written(RELEASED);
  const opened = await Promise.all(
    Array.from({ length: 8 }, async () => await openStore({ ...deps, dsn: target.dsn })),
  );
  await Promise.all(opened.map(async (store) => await store.close()));
  const done = opened.flatMap(({ upgraded: upgrade }) => upgrade ?? []);
  expect(done).toHaveLength(1);
  expect((await copiesIn(target)).map(({ schema }) => schema)).toEqual([done[0]?.copy]);
});

test("without the right to create a schema nothing is upgraded unless the caller insists", async () => {
  const target = await written(RELEASED);
  const role = await ownedByAnother(target);
  const before = await contentOf(target);
  await expect(upgraded(role)).rejects.toMatchObject({
    data: { reason: "database_uncopied" },
    hint: expect.stringMatching(/grant create on database.*migrate --no-copy/),
  });
  expect(await contentOf(target)).toEqual(before);
  expect(await postgresState({ dsn: role.dsn, schema: "svc" })).toMatchObject({
    tables: "older",
    copies: [],
  });
  const place = { dsn: role.dsn, schema: "svc" };
  expect(await migratePostgres({ ...deps, copy: false }, place)).toMatchObject({
    from: RELEASED,
    to: NEWEST,
    copy: undefined,
  });
});

test("a copy that fails in the middle leaves nothing behind, and nothing is upgraded", async () => {
  const target = await written(RELEASED);
  const role = await ownedByAnother(target);
  const name = new URL(target.dsn).pathname.slice(1);
  await query(target.dsn, `grant create on database ${name} to ${role.name}`);
  await query(target.dsn, `revoke select on svc.lease from ${role.name}`);
  await expect(upgraded(role)).rejects.toMatchObject({
    message: "the schema svc was not upgraded: it could not be copied first (42501)",
    hint: expect.stringContaining("nothing was changed"),
  });
  expect(await postgresState({ dsn: target.dsn, schema: "svc" })).toMatchObject({
    schemaVersion: RELEASED,
    copies: [],
  });
  await query(target.dsn, `grant select on svc.lease to ${role.name}`);
  expect(await upgraded(role)).toMatchObject({ from: RELEASED });
});

let roles = 0;

/** Returns the same database for a role that owns the tables and has no other rights. */
async function ownedByAnother(target: Target): Promise<Target & { readonly name: string }> {
  const name = `svc_owner_${process.pid}_${++roles}`;
  await query(target.dsn, `create role ${name} login`);
  onTestFinished(async () => {
    await query(target.dsn, `drop owned by ${name} cascade`, `drop role ${name}`);
  });
  await query(target.dsn, `alter schema svc owner to ${name}`);
  const tables = await query(
    target.dsn,
    "select tablename from pg_tables where schemaname = 'svc'",
  );
  for (const { tablename } of tables)
    await query(target.dsn, `alter table svc."${String(tablename)}" owner to ${name}`);
  const url = new URL(target.dsn);
  url.username = name;
  return { ...target, dsn: url.href, name };
}
