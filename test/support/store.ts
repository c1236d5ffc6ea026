import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { type Ids, systemIds } from "../../src/base/ids.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { openStore } from "../../src/store/open.ts";
import { type FreshPostgres, freshPostgres } from "./postgres.ts";

export interface OpenOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly timezone?: string;
}

/** A database of one test; it may be opened more than once, one after another or, on PostgreSQL, at the same time. */
export interface TestDatabase {
  readonly dialect: "sqlite" | "postgres";
  /** What `openStore` and `openSnapshot` take. */
  readonly target: { readonly dsn: string; readonly schema?: string };
  open(options?: OpenOptions): Promise<AdminStore>;
}

/** Opens a store on a database of its own; it is closed and gone when the test has finished. */
export interface OpenTestStore {
  (options?: OpenOptions): Promise<AdminStore>;
  database(): Promise<TestDatabase>;
  readonly dialect: "sqlite" | "postgres";
}

/** Runs the suite on SQLite and on PostgreSQL, always both. */
export function describeStore(title: string, suite: (open: OpenTestStore) => void): void {
  describe(`${title} on SQLite`, () => {
    suite(opener("sqlite", sqliteDatabase));
  });
  describePostgres(title, suite);
}

/** For what PostgreSQL alone can do. */
export function describePostgres(title: string, suite: (open: OpenTestStore) => void): void {
  describe(`${title} on PostgreSQL`, () => {
    let server: FreshPostgres;
    let schemas = 0;
    beforeAll(async () => {
      server = await freshPostgres();
    });
    afterAll(async () => await server.drop());
    // A schema is a database to svc, and made much faster than one of PostgreSQL's.
    suite(
      opener("postgres", async () =>
        testDatabase("postgres", { dsn: server.dsn, schema: `svc_${++schemas}` }),
      ),
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

/** A file copied from one that was migrated once: migrating takes longer than most tests. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "svc-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "svc.db");
  copyFileSync(await template(), path);
  return testDatabase("sqlite", { dsn: path });
}

function testDatabase(
  dialect: TestDatabase["dialect"],
  target: TestDatabase["target"],
): TestDatabase {
  return {
    dialect,
    target,
    open: async ({ clock = systemClock, ids = systemIds(), timezone = "UTC" } = {}) => {
      const store = await openStore({ ...target, clock, ids, timezone });
      onTestFinished(async () => await store.close());
      return store;
    },
  };
}

let migrated: Promise<string> | undefined;

/** Without an instance of its own: every copy shall get one when it is opened. */
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
