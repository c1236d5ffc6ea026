import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { DatabaseStore } from "../../src/store/database-store.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { SqliteBackend } from "../../src/store/sqlite/backend.ts";
import { latest } from "../../src/store/upgrade/migrate.ts";
import { prepare } from "../../src/store/upgrade/prepare.ts";
import { expectFolded } from "../store/fold.ts";
import { query } from "../support/postgres.ts";
import { type Joined, joined } from "../support/replica.ts";
import { describePostgres, sqliteDatabase } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";
import { bindingOf, rowsOf, statusOf } from "./copies.ts";

/** The project of the hub is larger than the room that a full disk still has, and is sent in one page. */
const ISSUES = 8;
const BODY = "x".repeat(30_000);

async function fill(hub: Joined["hub"], project: Joined["project"]): Promise<void> {
  for (let made = 0; made < ISSUES; made += 1) await hub.given.issue({ project, body: BODY });
}

/** A hub and a spoke whose disk is full, and how it gets room. */
interface Full extends Joined {
  makeRoom(): Promise<void>;
}

function suite(fullDisk: () => Promise<Full>): void {
  test("writes no part of it, says so, and goes on when there is room", async () => {
    const { hub, project, spoke, pull, makeRoom } = await fullDisk();
    const ended = async () => await spoke.store.read(async ({ events }) => await events.lastId());
    const before = await ended();
    const refused = { code: "unavailable", data: { reason: "disk_full" } };
    for (let pass = 1; pass <= 2; pass += 1) await expect(pull()).rejects.toMatchObject(refused);
    expect(await ended()).toBe(before);
    const binding = await bindingOf(spoke, project);
    expect(binding).toMatchObject({ enabled: 1, hub_stamp: null });
    expect(binding?.pull_cursor_event_id).toBe((binding?.replay_horizon_event_id ?? 0) - 1);
    expect(await statusOf(spoke, project)).toMatchObject({
      last_error: "unavailable",
      last_pull_success_at: null,
    });
    await expectFolded(spoke.store);
    await makeRoom();
    expect(await pull()).toMatchObject({ outcome: "current", events: ISSUES + 1 });
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: null });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectFolded(spoke.store);
  });
}

describe("a spoke whose disk is full while it writes a page, on SQLite,", () => {
  suite(async () => {
    const files: Database.Database[] = [];
    const all = await joined(async (options) => {
      const path = (await sqliteDatabase()).target.dsn;
      const file = new Database(path);
      files.push(file);
      return await storeOn(path, file, options);
    }, fill);
    const [, file] = files;
    /** SQLite reports SQLITE_FULL when a database has its maximum number of pages. */
    const room = (pages: number): void => {
      const used = Number(file?.pragma("page_count", { simple: true }));
      file?.pragma(`max_page_count = ${used + pages}`);
    };
    room(20);
    return { ...all, makeRoom: async () => await Promise.resolve(room(10_000)) };
  });
});

async function storeOn(
  path: string,
  file: Database.Database,
  options: Parameters<OpenStore>[0],
): Promise<AdminStore> {
  const backend = new SqliteBackend(Database, path, file);
  const { instanceUid } = await prepare(backend, MIGRATIONS, options);
  const store = new DatabaseStore({
    ...{ ...options, backend, instanceUid },
    ...{ schemaVersion: latest(MIGRATIONS), writeKind: "ordinary" },
  });
  onTestFinished(async () => await store.close());
  return store;
}

describePostgres("a spoke whose disk is full while it writes a page", (open) => {
  suite(async () => {
    const targets: { readonly dsn: string; readonly schema?: string }[] = [];
    const all = await joined(async (options) => {
      const database = await open.database();
      targets.push(database.target);
      return await database.open(options);
    }, fill);
    const { dsn, schema } = targets[1] ?? { dsn: "" };
    // The server refuses the commit of whatever adds events, as when its disk is full.
    await query(
      dsn,
      `create function ${schema}.refuse() returns trigger language plpgsql as
        $$ begin raise 'no space left on device' using errcode = '53100'; end $$`,
      `create constraint trigger full_disk after insert on ${schema}.event
        deferrable initially deferred for each row execute function ${schema}.refuse()`,
    );
    const makeRoom = async () =>
      void (await query(dsn, `drop function ${schema}.refuse() cascade`));
    return { ...all, makeRoom };
  });
});
