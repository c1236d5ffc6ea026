import { statSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import type * as Tables from "../../../src/domain/tables/tables.ts";
import type { UnfoldedTable } from "../../../src/domain/tables/tables.ts";
import type * as Migrations from "../../../src/store/migrations/index.ts";
import { openStore } from "../../../src/store/open.ts";
import { describeStore, sqliteDatabase } from "../../support/store.ts";
import { log, projectCreated, uid } from "../drafts.ts";
import { cursorsIn, cursorsOf } from "./unfolded-table.ts";

vi.mock("../../../src/domain/tables/tables.ts", async (original) => {
  const { cursor } = await import("./unfolded-table.ts");
  const real = await original<typeof Tables>();
  const TABLES = { ...real.TABLES, cursor };
  return { ...real, TABLES, eachTable: () => Object.entries(TABLES) };
});

vi.mock("../../../src/store/migrations/index.ts", async (original) => {
  const { planting } = await import("./unfolded-table.ts");
  const { MIGRATIONS } = await original<typeof Migrations>();
  return { MIGRATIONS: [...MIGRATIONS, planting] };
});

const A = { name: "a", place: 1, note: "" };
const B = { name: "b", place: 2, note: "" };

describeStore("rows outside the event log", (open) => {
  test("are put, replaced and removed inside a write, beside its events", async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.append(projectCreated(uid(1), "web"));
      const cursors = cursorsIn(tx);
      for (const row of [A, B, { ...A, place: 3 }]) await cursors.put(row);
      await cursors.remove("b");
      await cursors.remove("never there");
      expect(await cursors.find("a")).toEqual({ ...A, place: 3 });
    });
    await store.read(async (reader) => {
      expect(await cursorsOf(reader).find("a")).toEqual({ ...A, place: 3 });
      expect(await cursorsOf(reader).find("b")).toBeUndefined();
    });
  });

  test("are committed even by a write without events, of which no listener is notified", async () => {
    const store = await open();
    const heard: number[] = [];
    store.onCommit((last) => heard.push(last));
    await store.write(async (tx) => await cursorsIn(tx).put(A));
    expect(await store.read(async (reader) => await cursorsOf(reader).find("a"))).toEqual(A);
    expect(heard).toEqual([]);
  });

  test("are rolled back with a write that fails, and kept with the other writes of its batch", async () => {
    const store = await open();
    const failed = Promise.allSettled([
      store.write(async (tx) => await cursorsIn(tx).put(A)),
      store.write(async (tx) => {
        await cursorsIn(tx).put(B);
        throw new Error("no");
      }),
    ]);
    expect((await failed).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await store.read(async (reader) => {
      expect(await cursorsOf(reader).find("a")).toEqual(A);
      expect(await cursorsOf(reader).find("b")).toBeUndefined();
    });
  });

  test("are listed a page at a time in the order of their keys", async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (const name of ["zc", "za", "zb"]) await cursorsIn(tx).put({ ...A, name });
    });
    const names = async (limit: number, after?: string) =>
      await store.read(async (reader) =>
        (await cursorsOf(reader).list(limit, after)).map(({ name }) => name),
      );
    expect(await names(2)).toEqual(["za", "zb"]);
    expect(await names(2, "zb")).toEqual(["zc"]);
  });

  test("count as no events: the guard of the write sees an empty write", async () => {
    const store = await open();
    const unchanged = async () => {
      throw new Error("not its fence");
    };
    const write = store.write(async (tx) => await cursorsIn(tx).put(A), { unchanged });
    await expect(write).rejects.toThrow("not its fence");
    expect(await store.read(async (reader) => await cursorsOf(reader).find("a"))).toBeUndefined();
  });

  test("are the only rows that this interface accepts: folded tables and the store's own tables are refused", async () => {
    const store = await open();
    await log(store, projectCreated(uid(1), "web"));
    // @ts-expect-error a project is folded, so the types refuse it
    const folded: UnfoldedTable = "project";
    // @ts-expect-error the log is written by `append` alone
    const event: UnfoldedTable = "event";
    // @ts-expect-error by its rows a daemon knows its file
    const meta: UnfoldedTable = "meta";
    for (const [table, message] of [
      [folded, "project is folded from the log: append an event"],
      [event, "event is written by the store alone"],
      [meta, "meta is written by the store alone"],
    ] as const) {
      const removing = store.write(async (tx) => await tx.unfolded.remove(table, {} as never));
      await expect(removing).rejects.toThrow(message);
      const reading = store.read(async ({ unfolded }) => await unfolded.list(table, 1));
      await expect(reading).rejects.toThrow(message);
    }
    expect(await store.read(async ({ projects }) => await projects.list(true))).toHaveLength(1);
  });
});

test("the write-ahead log of a daemon that writes only rows outside the event log is written back", async () => {
  const { dsn } = (await sqliteDatabase()).target;
  const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
  const store = await openStore({ ...options, dsn, lockHeld: () => true });
  onTestFinished(async () => await store.close());
  const bytes = (): number => statSync(dsn).size;
  const before = bytes();
  const grow = async (place: number): Promise<void> => {
    const note = String.fromCharCode(65 + (place % 26)).repeat(900_000);
    await store.write(async (tx) => await cursorsIn(tx).put({ name: "a", place, note }));
  };
  const LIMIT = 20 * 1024 * 1024;
  for (let place = 0; statSync(`${dsn}-wal`).size < LIMIT; place++) await grow(place);
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(before), { timeout: 10_000 });
});
