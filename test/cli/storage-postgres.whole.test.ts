import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openBackend, openStore } from "../../src/store/open.ts";
import { latest } from "../../src/store/upgrade/migrate.ts";
import { prepare } from "../../src/store/upgrade/prepare.ts";
import { daemonLockName, LOCKS } from "../../src/store/write-lock/locks.ts";
import { RELEASED } from "../store/upgrade/plant-migration.ts";
import { fixtureSql } from "../store/upgrade/postgres-fixture.ts";
import { postgresDsn, query } from "../support/postgres.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { type Ran, runCommand } from "./harness.ts";

const NEEDED = latest(MIGRATIONS);
const SECRET = "hunter2-secret";
const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

type Env = Readonly<Record<string, string>>;

/** Runs a command line in a new home without settings. */
async function run(words: readonly string[], more: Env = {}): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "svc-postgres-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { SVC_HOME: folder, HOME: folder, XDG_RUNTIME_DIR: folder, USER: "ann", ...more };
  return await runCommand(["storage", "postgres", ...words], { env, cwd: folder });
}

async function json(words: readonly string[], env: Env = {}): Promise<Record<string, unknown>> {
  const { out, err, code } = await run([...words, "--json"], env);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  return JSON.parse(out);
}

function withSecret(dsn: string): string {
  const url = new URL(dsn);
  url.password = SECRET;
  url.searchParams.set("application_name", SECRET);
  return url.href;
}

test("svc storage postgres status of an empty database says what to do, and creates nothing", async () => {
  const dsn = withSecret(await postgresDsn());
  const { host, pathname } = new URL(dsn);
  const found = await json(["status", "--dsn", dsn]);
  expect(found).toEqual({
    svc_api_version: 1,
    database: `postgres://${host}${pathname}`,
    schema: "svc",
    server_version: expect.stringMatching(/^\d+/),
    tables: "none",
    schema_version: null,
    required_version: NEEDED,
    instance_uid: null,
    in_use: false,
    copies: [],
  });
  expect(await query(dsn, "select 1 from pg_namespace where nspname = 'svc'")).toEqual([]);
  const { out } = await run(["status", "--dsn", dsn]);
  expect(out).toContain("tables    none yet");
  expect(out).toContain("to do     svc storage postgres migrate");
  expect(out).not.toContain(SECRET);
});

test("svc storage postgres migrate creates the tables once, and then changes nothing", async () => {
  const SVC_DSN = await postgresDsn();
  const created = await json(["migrate"], { SVC_DSN });
  expect(created).toMatchObject({ action: "created", from_version: null, schema_version: NEEDED });
  const again = await json(["migrate"], { SVC_DSN });
  expect(again).toEqual({ ...created, action: "unchanged", from_version: NEEDED });
  expect(await json(["status"], { SVC_DSN })).toMatchObject({
    tables: "current",
    schema_version: NEEDED,
    instance_uid: created["instance_uid"],
    in_use: false,
  });
  const store = await openStore({ ...options, dsn: SVC_DSN });
  onTestFinished(async () => await store.close());
  expect(store.instanceUid).toBe(created["instance_uid"]);
});

test("svc storage postgres status gives the same facts in each mode of output, and with -q only what to do", async () => {
  const dsn = await postgresDsn();
  const place = `postgres://${new URL(dsn).host}${new URL(dsn).pathname}`;
  const words = ["--dsn", dsn, "--schema", "team"];
  expect((await run(["status", ...words, "--quiet"])).out).toMatch(/^svc storage postgres migrate/);
  expect((await run(["migrate", ...words])).out).toBe(
    `created the tables in ${place}, schema team: schema version ${NEEDED}\n`,
  );
  expect((await run(["migrate", ...words])).out).toBe(
    `nothing to do in ${place}, schema team: schema version ${NEEDED}\n`,
  );
  expect((await run(["migrate", ...words, "--agent"])).out).toMatch(
    /^OK migrate action=unchanged database=\S+ schema=team from_version=\d+ schema_version=\d+ instance_uid=\w{26}\n$/,
  );
  expect((await run(["status", ...words, "--agent"])).out).toMatch(
    /^OK status database=\S+ schema=team server_version=.* tables=current .*in_use=false copies=0\n$/,
  );
  for (const command of ["status", "migrate"])
    expect(await run([command, ...words, "--quiet"])).toEqual({ out: "", err: "", code: 0 });
  expect(await json(["status", "--dsn", dsn])).toMatchObject({ schema: "svc", tables: "none" });
});

test("svc storage postgres migrate upgrades an older database, which keeps its instance and its time zone", async () => {
  const dsn = await postgresDsn();
  const backend = await openBackend({ ...options, dsn });
  const { instanceUid } = await prepare(backend, MIGRATIONS.slice(0, -1), {
    ...options,
    timezone: "Asia/Tokyo",
  });
  await backend.close();
  expect(await json(["status", "--dsn", dsn])).toMatchObject({
    tables: "older",
    schema_version: RELEASED,
  });
  expect((await run(["status", "--dsn", dsn])).out).toContain(
    `schema version ${RELEASED}; this svc needs ${NEEDED}`,
  );
  expect(await json(["migrate", "--dsn", dsn])).toMatchObject({
    action: "upgraded",
    from_version: RELEASED,
    schema_version: NEEDED,
    instance_uid: instanceUid,
  });
  expect(await query(dsn, "select value from svc.meta where key = 'timezone'")).toEqual([
    { value: "Asia/Tokyo" },
  ]);
});

test("svc storage postgres migrate names the copy that it made of the old tables, and status lists the copy", async () => {
  const dsn = await postgresDsn();
  await query(dsn, fixtureSql(RELEASED));
  const { out } = await run(["migrate", "--dsn", dsn]);
  const [, kept = ""] = /; as it was it is kept as the schema (\w+)\n$/.exec(out) ?? [];
  expect(kept).toMatch(/^svc_before_schema_\d+_/);
  expect(await json(["status", "--dsn", dsn])).toMatchObject({
    copies: [{ schema: kept, schema_version: RELEASED, bytes: expect.any(Number) }],
  });
  expect((await run(["status", "--dsn", dsn])).out).toMatch(
    new RegExp(`kept      ${kept}: as it was at schema version ${RELEASED}, \\d+\\.\\d MiB\n`),
  );
  expect((await run(["status", "--dsn", dsn, "--agent"])).out).toMatch(
    new RegExp(` copies=1\n- schema=${kept} schema_version=${RELEASED} bytes=\\d+\n$`),
  );
  expect((await run(["status", "--dsn", dsn, "--agent", "--quiet"])).out).toBe("");
  await query(dsn, `drop schema "${kept}" cascade`);
  expect(await json(["status", "--dsn", dsn])).toMatchObject({ copies: [] });
});

test("svc storage postgres migrate --no-copy upgrades without making a copy", async () => {
  const dsn = await postgresDsn();
  await query(dsn, fixtureSql(RELEASED));
  const migrated = await json(["migrate", "--dsn", dsn, "--no-copy"]);
  expect(migrated).toMatchObject({ action: "upgraded", from_version: RELEASED, kept_old: null });
  expect(await json(["status", "--dsn", dsn])).toMatchObject({ tables: "current", copies: [] });
});

test("svc storage postgres migrate is refused while another session uses the same schema, but not for another schema", async () => {
  const dsn = withSecret(await postgresDsn());
  const store = await openStore({ ...options, dsn });
  expect(await json(["status", "--dsn", dsn])).toMatchObject({ tables: "current", in_use: true });
  const refused = await run(["migrate", "--dsn", dsn]);
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("is in use by a daemon");
  expect(refused.err).toContain("svc daemon stop");
  expect(refused.err).not.toContain(SECRET);
  expect(await json(["migrate", "--dsn", dsn, "--schema", "other"])).toMatchObject({
    action: "created",
  });
  await store.close();
  await expect.poll(async () => (await run(["migrate", "--dsn", dsn])).code).toBe(0);
});

test("a store that is opened during an upgrade of the database waits until the upgrade is done", async () => {
  const dsn = await postgresDsn();
  await json(["migrate", "--dsn", dsn]);
  const upgrading = new Client({ connectionString: dsn });
  await upgrading.connect();
  const lock = `(${LOCKS}, hashtext('${daemonLockName("svc")}'))`;
  await upgrading.query(`select pg_advisory_lock${lock}`);
  const opening = openStore({ ...options, dsn });
  const waits =
    "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
  await expect.poll(async () => await query(dsn, waits)).toEqual([{ n: 1 }]);
  expect((await run(["migrate", "--dsn", dsn])).code).toBe(5);
  await upgrading.end();
  const store = await opening;
  await store.close();
});

test.each([
  ["newer", `update svc.meta set value = '${NEEDED + 1}' where key = 'schema_version'`],
  ["unreleased", "update svc.meta set value = '59' where key = 'schema_version'"],
  ["foreign", "drop schema svc cascade; create schema svc; create table svc.orders (id int)"],
])("PostgreSQL tables that are %s are reported and left unchanged", async (tables, sql) => {
  const dsn = await postgresDsn();
  await json(["migrate", "--dsn", dsn]);
  await query(dsn, sql);
  const before = await json(["status", "--dsn", dsn]);
  expect(before).toMatchObject({ tables });
  const { code, err } = await run(["migrate", "--dsn", dsn, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(err)).toMatchObject({ error: { data: { reason: `database_${tables}` } } });
  expect(await json(["status", "--dsn", dsn])).toEqual(before);
});

test.each([
  ["a path", ["--dsn", `${SECRET}.db`], {}, 2, "--dsn names a SQLite database"],
  ["sqlite://", ["--dsn", `sqlite://${SECRET}`], {}, 2, "--dsn names a SQLite database"],
  ["settings of SQLite", [], {}, 2, "your settings name a SQLite database"],
  ["another scheme", ["--dsn", `mysql://u:${SECRET}@h/d`], {}, 3, "unknown scheme"],
  ["no port", ["--dsn", `postgres://u:${SECRET}@h:x/d`], {}, 3, "has a port that is no number"],
  ["settings", ["--dsn", `host=h password=a ${SECRET}`], {}, 3, "is not a list of name=value"],
  ["two hosts", ["--dsn", `postgres://u:${SECRET}@localhost,h/d`], {}, 3, "sslmode=verify-full"],
  ["public", ["--schema", "public"], { SVC_DSN: "postgres://h/d" }, 3, "must not be public"],
  ["no schema", ["--schema", ""], { SVC_DSN: "postgres://h/d" }, 3, "no name for a schema"],
  ["a long schema", ["--schema", "s".repeat(64)], {}, 3, "no name for a schema"],
  ["a schema of the server", ["--schema", "pg_x"], {}, 3, "no name for a schema"],
  ["no TLS", ["--dsn", `postgres://u:${SECRET}@db.example/d`], {}, 3, "sslmode=verify-full"],
  ["no server", ["--dsn", `postgres://u:${SECRET}@127.0.0.1:1/d`], {}, 1, "cannot be reached"],
  [
    "no server of two",
    ["--dsn", `host=127.0.0.1,::1 port=1,2 dbname=d user=u password=${SECRET}`],
    {},
    1,
    "127.0.0.1:1 cannot be reached (ECONNREFUSED), [::1]:2 cannot be reached",
  ],
] as const)(
  "for the reason %s, svc storage postgres with %j is refused, and the address is not repeated",
  async (_, words, env, code, text) => {
    for (const command of ["status", "migrate"])
      for (const mode of [[], ["--json"], ["--agent"]]) {
        const ran = await run([command, ...words, ...mode], env);
        expect(ran).toMatchObject({ out: "", code });
        expect(ran.err).toContain(text);
        expect(ran.err).not.toContain(SECRET);
      }
  },
);

describe("storage commands on a server that requires a password", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await query(server.dsn, "create role ann login password 'right'");
    await query(server.dsn, "create database tracker owner ann");
    const [row] = await query(server.dsn, "show hba_file");
    const rules = ["all ann 127.0.0.1/32 scram-sha-256", "all all 127.0.0.1/32 trust"];
    const rows = rules.map((rule) => `('host ${rule}')`).join(", ");
    await query(server.dsn, `copy (values ${rows}) to '${String(row?.["hba_file"])}'`);
    await query(server.dsn, "select pg_reload_conf()");
    await vi.waitUntil(
      async () =>
        await query(as("wrong"), "select 1").then(
          () => false,
          () => true,
        ),
      { timeout: 10_000 },
    );
  }, 60_000);
  afterAll(async () => await server.stop());

  function as(password: string, database = "tracker"): string {
    const url = new URL(server.dsn);
    Object.assign(url, { username: "ann", password, pathname: `/${database}` });
    return url.href;
  }

  test.each(["status", "migrate"])(
    "%s with a wrong password reports the wrong password without repeating it",
    async (command) => {
      for (const mode of [[], ["--json"], ["--agent"]]) {
        const ran = await run([command, "--dsn", as(SECRET), ...mode]);
        expect(ran).toMatchObject({ out: "", code: 1 });
        expect(ran.err).toContain("/tracker refuses this user or password");
        expect(ran.err).not.toMatch(new RegExp(`${SECRET}|ann@`));
      }
    },
  );

  test("migrate with the right password creates the tables in the database of that user", async () => {
    const { out, err, code } = await run(["migrate", "--dsn", as("right")]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(
      /^created the tables in postgres:\/\/127\.0\.0\.1:\d+\/tracker, schema svc/,
    );
  });

  test("status of a missing database names the database", async () => {
    const { err, code } = await run(["status", "--dsn", as("right", "none")]);
    expect(code).toBe(1);
    expect(err).toContain("/none is no database of that server");
  });
});
