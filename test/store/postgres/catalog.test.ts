import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { openStore } from "../../../src/store/open.ts";
import { CATALOG_FINGERPRINT, fingerprintOf } from "../../../src/store/postgres/catalog.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { query } from "../../support/postgres.ts";
import { describePostgres } from "../../support/store.ts";

interface Target {
  readonly dsn: string;
  readonly schema?: string;
}

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

async function validated(target: Target): Promise<void> {
  const store = await openStore({ ...options, ...target, mode: "validate" });
  await store.close();
}

/** Runs statements from outside of svc in the schema of the database. */
async function by({ dsn, schema = "" }: Target, ...statements: readonly string[]) {
  return await query(dsn, `set search_path to "${schema}"`, ...statements);
}

async function fingerprint({ dsn, schema = "" }: Target): Promise<string> {
  const backend = await openPostgres({ dsn, schema, clock: systemClock });
  onTestFinished(async () => await backend.close());
  return await backend.read(async (connection) => await fingerprintOf(connection, schema));
}

describePostgres("a daemon that has no right to change tables", (open) => {
  async function made(): Promise<Target> {
    const database = await open.database();
    await (await database.open()).close();
    return database.target;
  }

  test("knows the tables that the newest migration makes", async () => {
    expect(await fingerprint(await made())).toBe(CATALOG_FINGERPRINT);
  });

  test("opens a complete schema, and writes", async () => {
    const target = await made();
    await validated(target);
    const store = await openStore({ ...options, ...target, mode: "validate" });
    onTestFinished(async () => await store.close());
    await store.write(async (tx) => {
      const payload = { name: "web" };
      const project_uid = options.ids.ulid();
      await tx.append({ type: "project.created", actor: "ann", project_uid, payload });
    });
    expect(await store.read(async ({ events }) => await events.after(0, 9))).toHaveLength(1);
  });

  test.each([
    ["an extra column", 'alter table "issue" add column note text'],
    ["a missing column", 'alter table "comment" drop column teammate'],
    ["a column of another type", 'alter table "label" alter column author type varchar(9)'],
    ["a column that became nullable", 'alter table "issue" alter column title drop not null'],
    ["an extra table", "create table notes (id bigint)"],
    ["an extra index", 'create index by_title on "issue" (title)'],
    ["an extra constraint", 'alter table "issue" add constraint short check (length(title) < 9)'],
  ])("refuses to start on %s", async (_what, statement) => {
    const target = await made();
    await by(target, statement);
    await expect(validated(target)).rejects.toMatchObject({
      code: "unavailable",
      data: { reason: "database_altered" },
    });
    await (await openStore({ ...options, ...target })).close();
  });

  test("refuses to start if an index is missing", async () => {
    const target = await made();
    const [index] = (await by(
      target,
      `select indexname as name from pg_indexes i where schemaname = current_schema()
         and not exists (select 1 from pg_constraint k where k.conname = i.indexname) limit 1`,
    )) as { name: string }[];
    await by(target, `drop index "${index?.name}"`);
    await expect(validated(target)).rejects.toMatchObject({
      data: { reason: "database_altered" },
    });
  });

  test("refuses to start without its schema, and creates none", async () => {
    const { empty: target } = await open.database();
    await expect(validated(target)).rejects.toMatchObject({
      data: { reason: "database_missing" },
      hint: expect.stringContaining("svc storage postgres migrate"),
    });
    const found = await by(target, `select 1 from pg_namespace where nspname = '${target.schema}'`);
    expect(found).toEqual([]);
  });

  test.each([
    ["unreleased", "59"],
    ["newer", "(value::int + 1)::text"],
  ])("refuses tables of an %s version", async (name, version) => {
    const target = await made();
    await by(target, `update meta set value = ${version} where key = 'schema_version'`);
    await expect(validated(target)).rejects.toMatchObject({
      data: { reason: `database_${name}` },
    });
  });
});
