import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft, StoredEvent } from "../../../src/contract/events.ts";
import { evolve } from "../../../src/domain/evolve/evolve.ts";
import { foldLog, MemoryState } from "../../../src/domain/memory.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore } from "../../support/store.ts";
import {
  closed,
  created,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  projectRemoved,
  projectRestored,
  reopened,
  uid,
} from "../drafts.ts";
import { bothSides, expectFolded } from "../fold.ts";
import { chunks, draftsOf, isStep, P, Q, type Step, steps } from "../random-events.ts";

const [A, B, C, D] = [uid(11), uid(12), uid(13), uid(14)];

describeStore("the derived columns of an issue", (open) => {
  const derived = async (store: Store, issue: string) => {
    const found = await store.read(async (reader) => await reader.issues.find(issue));
    const { open_blockers, open_children, total_children, parked, held } = found ?? {};
    return [open_blockers, open_children, total_children, parked, held];
  };

  test("derived columns show that a parked ancestor holds a chain of children until it is unparked, closed or unlinked", async () => {
    const store = await open();
    const parent = (to: string) => ({ parent_set_uid: to });
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A),
      created(P, B),
      created(P, C),
      created(P, D),
    );
    await log(
      store,
      linksChanged(P, D, parent(C)),
      linksChanged(P, C, parent(B)),
      linksChanged(P, B, parent(A)),
    );
    await log(store, metadataSet(P, A, { someday: { to: true } }));
    expect(await derived(store, D)).toEqual([0, 0, 0, 0, 1]);
    await log(store, closed(P, B));
    expect(
      [await derived(store, B), await derived(store, C), await derived(store, D)].map(
        (row) => row[4],
      ),
    ).toEqual([1, 0, 0]);
    await log(store, reopened(P, B));
    expect(await derived(store, D)).toEqual([0, 0, 0, 0, 1]);
    await log(store, linksChanged(P, B, { parent_removed_uid: A }));
    expect(await derived(store, D)).toEqual([0, 0, 0, 0, 0]);
    await expectFolded(store);
  });

  test("derived columns follow changes of the parent within the same write", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { metadata: { someday: true } }),
      created(P, B),
      created(P, C),
    );
    await log(store, linksChanged(P, B, { parent_set_uid: A }));
    expect(await derived(store, B)).toEqual([0, 0, 0, 0, 1]);
    await log(
      store,
      labeled(P, B, "x"),
      metadataSet(P, A, { someday: { from: true } }),
      linksChanged(P, C, { parent_set_uid: B }),
    );
    expect([await derived(store, B), await derived(store, C)].map((row) => row[4])).toEqual([0, 0]);
    await expectFolded(store);
  });

  test("issues in other projects are unblocked when the blocker's project is archived, and blocked again when it is restored", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(Q, "api"),
      created(P, A),
      created(Q, B),
      created(Q, C),
    );
    await log(
      store,
      linksChanged(P, A, { blocks_added_uids: [B] }),
      linksChanged(Q, C, { parent_set_uid: B }),
    );
    expect([await derived(store, B), await derived(store, C)]).toEqual([
      [1, 1, 1, 0, 0],
      [0, 0, 0, 0, 1],
    ]);
    await log(store, projectRemoved(P));
    expect([await derived(store, B), await derived(store, C)]).toEqual([
      [0, 1, 1, 0, 0],
      [0, 0, 0, 0, 0],
    ]);
    await log(store, projectRestored(P));
    expect(await derived(store, C)).toEqual([0, 0, 0, 0, 1]);
    await expectFolded(store);
  });

  test("derived columns read dates without a zone in the daemon's zone, and are computed again when that zone changes", async () => {
    const database = await open.database();
    const first = await database.open({ timezone: "Europe/Berlin" });
    await log(
      first,
      projectCreated(P, "web"),
      created(P, A, { metadata: { scheduled_on: "2026-03-01" } }),
      created(P, B, { metadata: { scheduled_on: "2026-03-01", timezone: "Asia/Tokyo" } }),
      created(P, C, { metadata: { scheduled_on: "2026-03-01T00:00:00Z" } }),
    );
    const from = async (store: Store) =>
      await store.read(async (reader) =>
        [A, B, C].map(async (issue) => (await reader.issues.find(issue))?.ready_from),
      );
    expect(await Promise.all(await from(first))).toEqual([
      "2026-02-28T23:00:00.000Z",
      "2026-02-28T15:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
    ]);
    await first.close();
    const second = await database.open({ timezone: "America/New_York" });
    expect(await Promise.all(await from(second))).toEqual([
      "2026-03-01T05:00:00.000Z",
      "2026-02-28T15:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
    ]);
    await expectFolded(second);
  });
});

/** Runs the steps in writes of three. Four writes run at a time, so that they share a batch, and some of them fail. */
async function runSteps(store: Store, all: readonly Step[]): Promise<void> {
  const kept: StoredEvent[] = [];
  let state = new MemoryState();
  const write = async (
    steps: readonly (Step | readonly EventDraft[])[],
    fails: boolean,
  ): Promise<void> =>
    await store.write(async (tx) => {
      const events: StoredEvent[] = [];
      for (const step of steps) {
        for (const draft of isStep(step) ? draftsOf(state, step) : step) {
          const event = await tx.append(draft);
          state.apply(evolve(state, event));
          events.push(event);
        }
      }
      if (fails) {
        state = foldLog(kept);
        throw new Error("planned");
      }
      kept.push(...events);
    });
  await write([[projectCreated(P, "web"), projectCreated(Q, "api")]], false);
  const writes = chunks(all, 3);
  for (const batch of chunks(writes, 4)) {
    const results = await Promise.allSettled(
      batch.map(async (steps) => await write(steps, steps[0]?.[3] === 7)),
    );
    expect(results.map(({ status }) => status)).toEqual(
      batch.map((steps) => (steps[0]?.[3] === 7 ? "rejected" : "fulfilled")),
    );
  }
}

describeStore("random writes", (open) => {
  const numRuns = open.dialect === "sqlite" ? 100 : 15;

  test("random writes keep tables equal to the fold of the log, and derived columns equal to what the domain computes", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const store = await open();
        await runSteps(store, all);
        const { stored, folded } = await bothSides(store);
        await store.close();
        expect(stored).toEqual(folded);
      }),
      { numRuns },
    );
  });
});
