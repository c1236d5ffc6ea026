import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft, StoredEvent } from "../../../src/contract/events.ts";
import { evolve } from "../../../src/domain/evolve/evolve.ts";
import { foldLog, MemoryState } from "../../../src/domain/memory.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { describeStore } from "../../support/store.ts";
import {
  closed,
  commented,
  created,
  deleted,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  projectRemoved,
  projectRestored,
  reopened,
  restored,
  uid,
  unlabeled,
} from "../drafts.ts";
import { bothSides, expectFolded } from "../fold.ts";

const [P, Q] = [uid(1), uid(2)];
const [A, B, C, D] = [uid(11), uid(12), uid(13), uid(14)];

describeStore("what is derived of an issue", (open) => {
  const derived = async (store: Store, issue: string) => {
    const found = await store.read(async (reader) => await reader.issues.find(issue));
    const { open_blockers, open_children, total_children, parked, held } = found ?? {};
    return [open_blockers, open_children, total_children, parked, held];
  };

  test("a parked ancestor holds a chain of children, and lets them go when it is unparked, closed or unlinked", async () => {
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

  test("within one write a child takes what its parent is by then", async () => {
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

  test("archiving a project frees what its issues blocked elsewhere, and restoring it blocks them again", async () => {
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

  test("planning dates without a zone are read in the daemon's, and read anew when it is another", async () => {
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

type Step = readonly [kind: number, issue: number, other: number, third: number];

const KINDS = 16;
const ISSUES = 9;

/** Returns the drafts for a step in this state; none if the step would make no sense, such as a circle of parents. */
function draftsOf(state: MemoryState, [kind, a, b, c]: Step): readonly EventDraft[] {
  const [issue, other, third] = [uid(100 + a), uid(100 + b), uid(100 + c)];
  const home = state.issue(issue)?.project_uid ?? (c % 3 === 0 ? Q : P);
  const known = state.issue(issue) !== undefined;
  if (!known)
    return [
      created(home, issue, {
        metadata: a % 4 === 0 ? { someday: true } : {},
        ...initialLinks(state, issue, other, b),
      }),
    ];
  switch (kind) {
    case 0:
      return [closed(home, issue)];
    case 1:
      return [reopened(home, issue)];
    case 2:
      return [deleted(home, issue)];
    case 3:
      return [restored(home, issue)];
    case 4:
    case 5:
      return canAdopt(state, issue, other)
        ? [linksChanged(home, issue, { parent_set_uid: other })]
        : [];
    case 6: {
      const parent = state.parentLink(issue)?.to_uid;
      return parent === undefined
        ? []
        : [
            linksChanged(home, issue, {
              parent_removed_uid: parent,
              blocks_added_uids: others(issue, [third]),
            }),
          ];
    }
    case 7:
    case 8:
      return [linksChanged(home, issue, { blocks_added_uids: others(issue, [other, third]) })];
    case 9:
      return [
        linksChanged(home, issue, {
          blocked_by_added_uids: others(issue, [other]),
          related_added_uids: others(issue, [third]),
        }),
      ];
    case 10:
      return [
        linksChanged(home, issue, {
          blocks_removed_uids: [other],
          blocked_by_removed_uids: [third],
          related_removed_uids: [third],
        }),
      ];
    case 11:
      return [metadataSet(home, issue, { someday: b % 2 === 0 ? { to: true } : {} })];
    case 12:
      return [
        metadataSet(home, issue, { scheduled_on: b % 3 === 0 ? {} : { to: `2026-01-0${b + 1}` } }),
      ];
    case 13:
      return [labeled(home, issue, `l${b}`), unlabeled(home, issue, `l${c}`)];
    case 14:
      return [commented(home, issue, uid(1000 + b), `words ${c}`)];
    default: {
      const project = b % 2 === 0 ? P : Q;
      return [
        state.project(project)?.deleted_at === null
          ? projectRemoved(project)
          : projectRestored(project),
      ];
    }
  }
}

function initialLinks(
  state: MemoryState,
  issue: string,
  other: string,
  b: number,
): Partial<Parameters<typeof created>[2] & object> {
  if (state.issue(other) === undefined || other === issue || b % 3 === 0) return {};
  const link = { to_issue_uid: other, to_short_id: "", author: "ann" };
  if (b % 3 === 1) return { links: [{ ...link, type: "parent" }] };
  return { links: [{ ...link, type: "blocks", incoming: b % 2 === 0 }] };
}

function others(issue: string, uids: readonly string[]): string[] {
  return [...new Set(uids)].filter((other) => other !== issue);
}

function canAdopt(state: MemoryState, child: string, parent: string): boolean {
  for (let at: string | undefined = parent; at !== undefined; at = state.parentLink(at)?.to_uid)
    if (at === child) return false;
  return state.issue(parent) !== undefined;
}

const steps = fc.array(
  fc.tuple(fc.nat(KINDS - 1), fc.nat(ISSUES - 1), fc.nat(ISSUES - 1), fc.nat(ISSUES - 1)),
  { minLength: 1, maxLength: 80, size: "max" },
);

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

function isStep(step: Step | readonly EventDraft[]): step is Step {
  return typeof step[0] === "number";
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

describeStore("random writes", (open) => {
  const numRuns = open.dialect === "sqlite" ? 100 : 15;

  test("tables are the fold of the log and derived columns what the domain computes", {
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
