import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { type Ids, systemIds } from "../../src/base/ids.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { openStore } from "../../src/store/open.ts";
import { PostgresDatabases } from "./postgres-databases.ts";

export interface OpenOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly timezone?: string;
}

/** A database for one test. It may be opened several times: one after the other, or on PostgreSQL at the same time. */
export interface TestDatabase {
  readonly dialect: "sqlite" | "postgres";
  /** The arguments that `openStore` and `openSnapshot` take for it. */
  readonly target: { readonly dsn: string; readonly schema?: string };
  /** Like `target`, but for an empty place beside it, without tables. */
  readonly empty: TestDatabase["target"];
  open(options?: OpenOptions): Promise<AdminStore>;
  /** Empties the database, so that an export can be restored into it. No store on the database may be open. */
  clear(): Promise<void>;
}

/** Opens a store on a new database. The store is closed and the database removed when the test has finished. */
export interface OpenTestStore {
  (options?: OpenOptions): Promise<AdminStore>;
  database(): Promise<TestDatabase>;
  readonly dialect: "sqlite" | "postgres";
}

/** Runs the suite on SQLite and on PostgreSQL. */
export function describeStore(title: string, suite: (open: OpenTestStore) => void): void {
  describe(`${title} on SQLite`, () => {
    suite(opener("sqlite", sqliteDatabase));
  });
  describePostgres(title, suite);
}

/** Runs the suite only on PostgreSQL: for what only PostgreSQL can do. */
export function describePostgres(title: string, suite: (open: OpenTestStore) => void): void {
  describe(`${title} on PostgreSQL`, () => {
    const databases = new PostgresDatabases();
    afterAll(async () => await databases.close());
    suite(
      opener("postgres", async () => {
        const { reset, ...target } = await databases.take();
        return testDatabase("postgres", target, reset);
      }),
    );
  });
}

function opener(
  dialect: OpenTestStore["dialect"],
  database: () => Promise<TestDatabase>,
): OpenTestStore {
  const open = async (options?: OpenOptions): Promise<AdminStore> =>
    await (await database()).open(options);
  return Object.assign(open, { database, dialect });
}

/** Makes a file by copying one that was migrated once, because migrating takes longer than most tests. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "svc-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "svc.db");
  copyFileSync(await template(), path);
  const clear = async () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return await Promise.resolve();
  };
  return testDatabase("sqlite", { dsn: path }, clear);
}

function testDatabase(
  dialect: TestDatabase["dialect"],
  target: TestDatabase["target"],
  clear: TestDatabase["clear"],
): TestDatabase {
  return {
    dialect,
    target,
    clear,
    empty:
      target.schema === undefined
        ? { dsn: `${target.dsn}.new` }
        : { dsn: target.dsn, schema: `${target.schema}_new_${++places}` },
    open: async ({ clock = systemClock, ids = systemIds(), timezone = "UTC" } = {}) => {
      const store = await openStore({ ...target, clock, ids, timezone });
      onTestFinished(async () => await store.close());
      return store;
    },
  };
}

/** Later tests use the databases again, so each place in them gets a name of its own. */
let places = 0;

let migrated: Promise<string> | undefined;

/** The template has no instance uid, so that every copy gets its own when it is opened. */
async function template(): Promise<string> {
  migrated ??= makeTemplate();
  return await migrated;
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-store-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "svc.db");
  const store = await openStore({
    dsn: path,
    clock: systemClock,
    ids: systemIds(),
    timezone: "UTC",
  });
  await store.close();
  const { default: Database } = await import("better-sqlite3");
  const file = new Database(path);
  file.exec("delete from meta where key = 'instance_uid'");
  file.pragma("wal_checkpoint(TRUNCATE)");
  file.close();
  return path;
}
