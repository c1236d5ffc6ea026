import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { EventDraft, StoredEvent } from "../../../src/contract/events.ts";
import { evolve } from "../../../src/domain/evolve/evolve.ts";
import { MemoryState } from "../../../src/domain/memory.ts";
import { eachTable, type FoldedTable, type TableName } from "../../../src/domain/tables/tables.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { FakeClock } from "../../support/clock.ts";
import { countingIds } from "../../support/ids.ts";
import { describePostgres, describeStore, type OpenTestStore } from "../../support/store.ts";
import {
  created,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  uid,
} from "../drafts.ts";
import { collect, expectFolded } from "../fold.ts";
import { chunks, draftsOf, P, Q, type Step, steps } from "../random-events.ts";

/** Tables that say which database or daemon it is. */
const DATABASE_TABLES: ReadonlySet<TableName> = new Set(["meta", "election", "daemon_commit"]);

/**
 * All rows of the database, with their local ids, but without the epoch, which is random. A label that no issue has any
 * more may have a count of 0.
 */
async function allRows(store: AdminStore): Promise<Readonly<Record<string, unknown>>> {
  const snapshot = await store.openSnapshot();
  try {
    const rows: Record<string, unknown> = {};
    for (const [table] of eachTable()) {
      if (DATABASE_TABLES.has(table)) continue;
      const all: readonly object[] = await collect(snapshot, table as FoldedTable);
      rows[table] = all
        .filter((row) => !("count" in row) || row.count !== 0)
        .map((row) => ({ ...row, epoch: undefined }));
    }
    return rows;
  } finally {
    await snapshot.close();
  }
}

/** Opens two databases that give events the same ids, uids and times. */
async function twins(open: OpenTestStore): Promise<readonly [AdminStore, AdminStore]> {
  const one = async () => await open({ clock: new FakeClock(), ids: countingIds() });
  return [await one(), await one()];
}

/** Appends the drafts of the steps one by one, and returns what each write appended. */
async function appendOneByOne(
  store: AdminStore,
  all: readonly Step[],
): Promise<readonly (readonly EventDraft[])[]> {
  const state = new MemoryState();
  const written: EventDraft[][] = [];
  const write = async (next: readonly (Step | EventDraft)[]): Promise<void> =>
    await store.write(async (tx) => {
      const drafts: EventDraft[] = [];
      written.push(drafts);
      for (const step of next)
        for (const draft of "type" in step ? [step] : draftsOf(state, step)) {
          const event: StoredEvent = await tx.append(draft);
          state.apply(evolve(state, event));
          drafts.push(draft);
        }
    });
  await write([projectCreated(P, "web"), projectCreated(Q, "api")]);
  for (const next of chunks(all, 20)) await write(next);
  return written;
}

describeStore("events that are appended together", (open) => {
  const numRuns = open.dialect === "sqlite" ? 60 : 6;

  test("give the same events and rows as one by one", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [single, together] = await twins(open);
        const written = await appendOneByOne(single, all);
        for (const drafts of written)
          await together.write(async (tx) => await tx.appendAll(drafts));
        expect(await allRows(together)).toEqual(await allRows(single));
        await expectFolded(together);
        for (const store of [single, together]) await store.close();
      }),
      { numRuns, endOnFailure: true },
    );
  });

  test("hold the children of a parked new issue, in whatever order the issues are linked", async () => {
    const store = await open();
    const [A, B, C] = [uid(11), uid(12), uid(13)];
    await log(store, projectCreated(P, "web"));
    await store.write(async (tx) => {
      await tx.appendAll([
        created(P, A, { metadata: { someday: true } }),
        created(P, B),
        created(P, C),
        linksChanged(P, C, { parent_set_uid: B }),
        linksChanged(P, B, { parent_set_uid: A }),
      ]);
      expect((await tx.issues.find(C))?.held).toBe(1);
    });
    await expectFolded(store);
  });

  test("are refused together when one of them cannot be written", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const sameName = projectCreated(Q, "web");
    const write = store.write(async (tx) => await tx.appendAll([created(P, uid(11)), sameName]));
    await expect(write).rejects.toThrow(/unique/i);
    expect(await store.read(async ({ events }) => await events.lastId())).toBe(1);
    await expectFolded(store);
  });
});

describePostgres("a thousand events that are appended together", (open) => {
  test("take fewer than 60 statements", async () => {
    const store = await open();
    await log(store, projectCreated(P, "web"));
    const issues = Array.from({ length: 1000 }, (_, at) => uid(100 + at));
    await store.write(async (tx) => await tx.appendAll(issues.map((one) => created(P, one))));
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await store.write(
      async (tx) =>
        await tx.appendAll(
          issues.flatMap((one) => [
            metadataSet(P, one, { seen: { to: true } }),
            labeled(P, one, "late"),
          ]),
        ),
    );
    const statements = execute.mock.calls.length;
    execute.mockRestore();
    expect(statements).toBeLessThan(60);
    await expectFolded(store);
  });
});
