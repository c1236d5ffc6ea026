import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PostgresConnection } from "../../src/store/postgres-connection.ts";
import type { Tx } from "../../src/store/types.ts";
import { describePostgres, describeStore, sqliteDatabase } from "../support/store.ts";
import { commented, created, labeled, linksChanged, log, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";

const P = uid(1);
const MANY = 150;

/** Issues with labels, metadata and a mark of their import: rows of many tables. */
async function createMany(tx: Tx, count = MANY, project = P): Promise<void> {
  const base = project === P ? 100 : 10_000 * Number(project.slice(-1));
  const uids = Array.from({ length: count }, (_, at) => uid(base + at));
  await tx.preload({ issues: uids });
  for (const [at, one] of uids.entries())
    await tx.append(
      created(project, one, {
        labels: ["bug", `n${at % 7}`],
        metadata: { at },
        source: `t ${project}`,
        external_id: `e${at}`,
      }),
    );
}

describeStore("rows that are written together", (open) => {
  test("are found by whoever reads in the same write, numbered in their order", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    await store.write(async (tx) => {
      await createMany(tx);
      const found = await tx.issues.list({ project_uid: P }, "created");
      expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
        Array.from({ length: MANY }, (_, at) => at + 1),
      );
      expect(await tx.labels.counts(P)).toContainEqual({ label: "bug", count: MANY });
      expect((await tx.findImports(P, `t ${P}`, ["e3", "none"])).get("e3")).toBe(uid(103));
      await tx.append(labeled(P, uid(103), "late"));
      await tx.append(commented(P, uid(103), uid(900), "seen"));
      await tx.append(linksChanged(P, uid(103), { blocks_added_uids: [uid(104)] }));
      expect((await tx.issues.find(uid(104)))?.open_blockers).toBe(1);
    });
    await expectFolded(store);
  });

  test("go with the write that failed, and the next ones are numbered as if it had not been", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const failed = store.write(async (tx) => {
      await createMany(tx);
      throw new Error("no");
    });
    const next = store.write(async (tx) => await tx.append(created(P, uid(500))));
    await expect(failed).rejects.toThrow("no");
    expect((await next).id).toBe(2);
    const left = await store.read(async (r) => await r.issues.list({ project_uid: P }, "created"));
    expect(left.map(({ id, uid: found }) => [id, found])).toEqual([[1, uid(500)]]);
    await expectFolded(store);
  });

  test("an issue that changes before its row is written is written as it became", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    await store.write(async (tx) => {
      await createMany(tx, 3);
      await tx.append(
        created(P, uid(300), {
          links: [
            { type: "parent", to_issue_uid: uid(100), to_short_id: "x", author: "ann" },
            { type: "blocks", to_issue_uid: uid(101), to_short_id: "y", author: "ann" },
          ],
        }),
      );
    });
    await store.read(async (reader) => {
      expect(await reader.issues.find(uid(100))).toMatchObject({ open_children: 1 });
      expect(await reader.issues.find(uid(101))).toMatchObject({ open_blockers: 1 });
    });
    await expectFolded(store);
  });
});

describe("a large write on SQLite", () => {
  test("takes time in proportion to what it moves", async () => {
    const store = await (await sqliteDatabase()).open();
    onTestFinished(async () => await store.close());
    const sizes = [1000, 4000];
    await log(store, projectCreated(P, "web"));
    const times: number[] = [];
    for (const [at, size] of sizes.entries()) {
      const source = uid(2 + at);
      await log(store, projectCreated(source, `source${at}`));
      await store.write(async (tx) => await createMany(tx, size, source));
      const begun = process.cpuUsage();
      await log(store, {
        type: "project.merged",
        actor: "ann",
        project_uid: P,
        payload: { source_uid: source, source_name: `source${at}`, short_id_extensions: [] },
      });
      times.push(process.cpuUsage(begun).user + process.cpuUsage(begun).system);
    }
    expect((times[1] ?? 0) / (times[0] ?? 1)).toBeLessThan(8);
  });
});

describePostgres("a large write", (open) => {
  test("takes fewer statements than it makes issues", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await store.write(async (tx) => await createMany(tx));
    expect(execute.mock.calls.length).toBeLessThan(MANY / 2);
    execute.mockRestore();
  });
});
