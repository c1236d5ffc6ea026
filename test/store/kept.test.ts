import { expect, test } from "vitest";
import type { KeptTable } from "../../src/domain/tables/tables.ts";
import { describeStore } from "../support/store.ts";
import { log, projectCreated, uid } from "./drafts.ts";

const A = { key: "a", value: "1" };
const B = { key: "b", value: "2" };

describeStore("rows that are not folded", (open) => {
  test("are put, replaced and removed inside a write, beside its events", async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.append(projectCreated(uid(1), "web"));
      for (const row of [A, B, { ...A, value: "3" }]) await tx.kept.put("meta", row);
      await tx.kept.remove("meta", { key: "b" });
      await tx.kept.remove("meta", { key: "never there" });
      expect(await tx.kept.find("meta", { key: "a" })).toEqual({ key: "a", value: "3" });
    });
    await store.read(async ({ kept }) => {
      expect(await kept.find("meta", { key: "a" })).toEqual({ key: "a", value: "3" });
      expect(await kept.find("meta", { key: "b" })).toBeUndefined();
    });
  });

  test("are committed also by a write without events, of which no listener hears", async () => {
    const store = await open();
    const heard: number[] = [];
    store.onCommit((last) => heard.push(last));
    await store.write(async (tx) => await tx.kept.put("meta", A));
    expect(await store.read(async ({ kept }) => await kept.find("meta", A))).toEqual(A);
    expect(heard).toEqual([]);
  });

  test("are gone with a write that fails, and stay with those beside it", async () => {
    const store = await open();
    const failed = Promise.allSettled([
      store.write(async (tx) => await tx.kept.put("meta", A)),
      store.write(async (tx) => {
        await tx.kept.put("meta", B);
        throw new Error("no");
      }),
    ]);
    expect((await failed).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await store.read(async ({ kept }) => {
      expect(await kept.find("meta", A)).toEqual(A);
      expect(await kept.find("meta", B)).toBeUndefined();
    });
  });

  test("are listed a page at a time in the order of their keys", async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (const key of ["zc", "za", "zb"]) await tx.kept.put("meta", { key, value: "" });
    });
    const keys = async (limit: number, after: string) =>
      await store.read(async ({ kept }) =>
        (await kept.list("meta", limit, { key: after })).map(({ key }) => key),
      );
    expect(await keys(2, "z")).toEqual(["za", "zb"]);
    expect(await keys(2, "zb")).toEqual(["zc"]);
    const first = await store.read(async ({ kept }) => await kept.list("meta", 1));
    expect(first).toHaveLength(1);
  });

  test("are the only ones of this door: a folded table and one of the store's own are refused", async () => {
    const store = await open();
    await log(store, projectCreated(uid(1), "web"));
    // @ts-expect-error a project is folded, so the types refuse it
    const folded: KeptTable = "project";
    // @ts-expect-error the log is written by `append` alone
    const own: KeptTable = "event";
    for (const [table, message] of [
      [folded, "project is folded from the log: append an event"],
      [own, "event is written by the store alone"],
    ] as const) {
      const removing = store.write(async (tx) => await tx.kept.remove(table, { key: uid(1) }));
      await expect(removing).rejects.toThrow(message);
      const reading = store.read(async ({ kept }) => await kept.list(table, 1));
      await expect(reading).rejects.toThrow(message);
    }
    expect(await store.read(async ({ projects }) => await projects.list(true))).toHaveLength(1);
  });
});
