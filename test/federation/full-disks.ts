import Database from "better-sqlite3";
import { describe, onTestFinished } from "vitest";
import { DatabaseStore } from "../../src/store/database-store.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { SqliteBackend } from "../../src/store/sqlite/backend.ts";
import { latest } from "../../src/store/upgrade/migrate.ts";
import { prepare } from "../../src/store/upgrade/prepare.ts";
import { query } from "../support/postgres.ts";
import { describePostgres, sqliteDatabase } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";

/** The disk of a database. */
export interface Disk {
  /** Leaves room for less than 100,000 bytes on SQLite, and for no event on PostgreSQL. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
}

/** Opens databases, and gives their disks in the order in which they were opened. */
export interface Disks {
  readonly open: OpenStore;
  readonly disks: readonly Disk[];
}

/** Runs the suite on SQLite and on PostgreSQL, with databases whose disks can be full. */
export function describeDisks(title: string, suite: (disks: () => Disks) => void): void {
  describe(`${title}, on SQLite,`, () => {
    suite(sqliteDisks);
  });
  describePostgres(title, (open) => {
    suite(() => {
      const disks: Disk[] = [];
      const openStore: OpenStore = async (options) => {
        const database = await open.database();
        disks.push(postgresDisk(database.target));
        return await database.open(options);
      };
      return { open: openStore, disks };
    });
  });
}

function sqliteDisks(): Disks {
  const disks: Disk[] = [];
  const open: OpenStore = async (options) => {
    const path = (await sqliteDatabase()).target.dsn;
    const file = new Database(path);
    disks.push(sqliteDisk(file));
    const backend = new SqliteBackend(Database, path, file);
    const { instanceUid } = await prepare(backend, MIGRATIONS, options);
    const store = new DatabaseStore({
      ...{ ...options, backend, instanceUid },
      ...{ schemaVersion: latest(MIGRATIONS), writeKind: "ordinary" },
    });
    onTestFinished(async () => await store.close());
    return store;
  };
  return { open, disks };
}

/** SQLite reports SQLITE_FULL when a database has its maximum number of pages. */
function sqliteDisk(file: Database.Database): Disk {
  const room = async (pages: number): Promise<void> => {
    const used = Number(file.pragma("page_count", { simple: true }));
    file.pragma(`max_page_count = ${used + pages}`);
    await Promise.resolve();
  };
  return { fill: async () => await room(20), makeRoom: async () => await room(10_000) };
}

/** The server refuses the commit of whatever adds events, as when its disk is full. */
function postgresDisk({ dsn, schema }: { readonly dsn: string; readonly schema?: string }): Disk {
  return {
    fill: async () =>
      void (await query(
        dsn,
        `create function ${schema}.refuse() returns trigger language plpgsql as
          $$ begin raise 'no space left on device' using errcode = '53100'; end $$`,
        `create constraint trigger full_disk after insert on ${schema}.event
          deferrable initially deferred for each row execute function ${schema}.refuse()`,
      )),
    makeRoom: async () => void (await query(dsn, `drop function ${schema}.refuse() cascade`)),
  };
}
