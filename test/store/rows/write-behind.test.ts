import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import type { EventDraft } from "../../../src/contract/events.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { putRow, removeRow } from "../../../src/store/rows/table-rows.ts";
import { WriteBehind } from "../../../src/store/rows/write-behind.ts";
import type { Tx } from "../../../src/store/types/store.ts";
import { describePostgres, describeStore, sqliteDatabase } from "../../support/store.ts";
import {
  commented,
  created,
  labeled,
  linksChanged,
  log,
  projectCreated,
  T0,
  uid,
} from "../drafts.ts";
import { expectFolded } from "../fold.ts";

const P = uid(1);
const MANY = 150;
const T1 = "2026-01-02T00:00:00.000Z";

/** Makes issues with labels, metadata and the source of an import, so that many tables get rows. */
async function createMany(tx: Tx, count = MANY, project = P): Promise<void> {
  const base = project === P ? 100 : 10_000 * Number(project.slice(-1));
  const uids = Array.from({ length: count }, (_, at) => uid(base + at));
  await tx.preload({ issues: uids });
  // As operations do, which look once for the short ids that are free.
  const shortIds = uids.map((one) => one.slice(-6).toLowerCase());
  await tx.issues.takenShortIds([project], shortIds);
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

describeStore("rows whose writing is batched", (open) => {
  test("batched rows are found by reads in the same write, numbered in order", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    await store.write(async (tx) => {
      await createMany(tx);
      const found = await tx.issues.list({ project_uid: P }, "created");
      expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
        Array.from({ length: MANY }, (_, at) => at + 1),
      );
      expect(await tx.labels.counts(P)).toContainEqual({ label: "bug", count: MANY });
      expect((await tx.marks.findImports(P, `t ${P}`, ["e3", "none"])).get("e3")).toBe(uid(103));
      await tx.append(labeled(P, uid(103), "late"));
      await tx.append(commented(P, uid(103), uid(900), "seen"));
      await tx.append(linksChanged(P, uid(103), { blocks_added_uids: [uid(104)] }));
      expect((await tx.issues.find(uid(104)))?.open_blockers).toBe(1);
    });
    await expectFolded(store);
  });

  test("batched rows are discarded with a write that failed, and the next ones get the same numbers", async () => {
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

  test("batched rows of an issue that changes before its batch is written are written in their final state", async () => {
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
  test("a large write takes time in proportion to its size", async () => {
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
  test.each(["makes", "merges", "gives to another author"])(
    "a large write takes fewer statements than there are issues that it %s",
    async (what) => {
      const store = await open();
      await log(store, projectCreated(P, "web"));
      const source = uid(2);
      await log(store, projectCreated(source, "source"));
      if (what !== "makes") await store.write(async (tx) => await createLinked(tx, source));
      const execute = vi.spyOn(PostgresConnection.prototype, "execute");
      if (what === "makes") await store.write(async (tx) => await createMany(tx));
      else await log(store, what === "merges" ? merged(source, P) : rewritten(source));
      expect(execute.mock.calls.length).toBeLessThan(MANY / 2);
      execute.mockRestore();
      await expectFolded(store);
    },
  );

  test("a large write reads changed texts for the full-text index 500 at a time, and reads no texts of new issues", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const slicesRead = async (work: (tx: Tx) => Promise<void>): Promise<readonly number[]> => {
      const execute = vi.spyOn(PostgresConnection.prototype, "execute");
      await store.write(work);
      const read = execute.mock.calls.filter(([sql]) => sql.includes('"issue"."body"'));
      execute.mockRestore();
      return read.map(([, [uids]]) => (Array.isArray(uids) ? uids.length : 0));
    };
    expect(await slicesRead(async (tx) => await createMany(tx, 1100))).toEqual([]);
    const sizes = await slicesRead(async (tx) => {
      for (let at = 0; at < 1100; at += 1) await tx.append(labeled(P, uid(100 + at), "late"));
    });
    expect(sizes).toEqual([500, 500, 100]);
  });
});

/** Makes issues that each block the next one and have a comment. */
async function createLinked(tx: Tx, project: string): Promise<void> {
  await createMany(tx, MANY, project);
  for (let at = 1; at < MANY; at += 1) {
    const [before, one] = [uid(20_000 + at - 1), uid(20_000 + at)];
    await tx.append(linksChanged(project, before, { blocks_added_uids: [one] }));
    await tx.append(commented(project, one, uid(90_000 + at), "a word"));
  }
}

function merged(source_uid: string, target: string): EventDraft<"project.merged"> {
  const payload = { source_uid, source_name: "source", short_id_extensions: [] };
  return { type: "project.merged", actor: "ann", project_uid: target, payload };
}

function rewritten(project_uid: string): EventDraft<"project.author_rewritten"> {
  const counts = { issue_authors: 0, issue_owners: 0, comment_authors: 0, link_authors: 0 };
  const payload = { project_uid, from: "ann", to: "bea", ...counts, total: 0, updated_at: T1 };
  return { type: "project.author_rewritten", actor: "ann", project_uid, payload };
}

describePostgres("a row that is removed before it is written", (open) => {
  test("a row that is removed before it is written is not written, but a row that is put after the removal is written", async () => {
    const { target, open: openDatabase } = await open.database();
    const store = await openDatabase();
    await log(store, projectCreated(P, "web"));
    await log(store, created(P, uid(100)));
    const backend = await openPostgres({ schema: "svc", ...target, clock: systemClock });
    onTestFinished(async () => await backend.close());
    const connection = new WriteBehind(await backend.writer());
    const own = { project_uid: P, source: "t", issue_uid: uid(100) };
    const row = (external_id: string, imported_at = T0) => ({ ...own, external_id, imported_at });
    for (const id of ["removed", "put again"]) await putRow(connection, "import", row(id));
    for (const id of ["removed", "put again"]) await removeRow(connection, "import", row(id));
    await putRow(connection, "import", row("put again", T1));
    const { rows } = await connection.execute("select * from import", []);
    expect(rows).toEqual([row("put again", T1)]);
  });
});
