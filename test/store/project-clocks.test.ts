import { expect, test } from "vitest";
import type { EventDraft } from "../../src/contract/events.ts";
import { aliasAdded, aliasRemoved, projectMerged } from "../../src/domain/drafts/projects.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { FakeClock } from "../support/clock.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { created, edited, projectCreated, T0, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, baseline, ForeignEvents } from "./foreign-events.ts";
import { P, Q } from "./random-events.ts";

const R = uid(3);
const [A, B, C] = [uid(11), uid(12), uid(13)];
const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 365 * DAY_MS;

/** A database with copies of P, whose hub's clock is a year ahead, and of R of another hub, and a project Q of its own. */
async function given(open: OpenTestStore) {
  const clock = new FakeClock();
  const store = await open({ clock });
  await store.write(async (tx) => {
    for (const [project, name] of [
      [P, "web"],
      [Q, "api"],
      [R, "doc"],
    ] as const)
      await tx.append(projectCreated(project, name));
    await tx.append(created(Q, B));
  });
  const made = new ForeignEvents();
  let hub = 0;
  const pull = async (aheadMs: number, ...drafts: readonly EventDraft[]) => {
    const page = drafts.map((draft) => {
      hub += 1;
      return made.next(draft, {
        hlc_physical_ms: clock.nowMs() + aheadMs,
        hlc_counter: hub,
        hub_event_id: hub,
      });
    });
    return await admitAs(store, { fromHub: true, ownUpTo: 0 }, ...page);
  };
  await pull(YEAR_MS, baseline(P), created(P, A, { title: "of the hub" }));
  return { store, clock, pull };
}

const titleOf = async (store: AdminStore, issue: string) =>
  await store.read(async ({ issues }) => (await issues.find(issue))?.title);

const ACT = { actor: "ann", now: T0 };
const ALIAS = { alias_identity: "github.com/x/r", alias_kind: "git" } as const;

async function append(store: AdminStore, ...drafts: readonly EventDraft[]): Promise<void> {
  await store.write(async (tx) => {
    for (const draft of drafts) await tx.append(draft);
  });
}

const projectWithAlias = async (store: AdminStore) =>
  await store.read(
    async (reader) => (await reader.projects.findByAlias(ALIAS.alias_identity))?.uid,
  );

/** How far the clock of the last event is ahead of the machine's. */
async function lastAhead(store: AdminStore, clock: FakeClock): Promise<number> {
  const snapshot = await store.openSnapshot();
  let last = 0;
  for await (const { hlc_physical_ms } of snapshot.rows("event")) last = hlc_physical_ms;
  await snapshot.close();
  return last - clock.nowMs();
}

describeStore("a hub whose clock is a year ahead", (open) => {
  test("is read, also after it wrote nothing for days", async () => {
    const { store, pull } = await given(open);
    const drafts = [edited(P, A, { title: "later" }), created(P, C)];
    expect(await pull(YEAR_MS + 5 * DAY_MS, ...drafts)).toMatchObject({ accepted: 2 });
    expect(await titleOf(store, A)).toBe("later");
    await expectFolded(store);
  });

  test("does not move the clocks of projects of this daemon, of their baselines and of copies of other hubs", async () => {
    const { store, clock, pull } = await given(open);
    await store.write(async (tx) => await tx.append(edited(Q, B, { title: "here" })));
    expect(await lastAhead(store, clock)).toBe(0);
    await store.write(async (tx) => {
      const { payload, ...rest } = baseline(Q);
      const begun = await tx.beginBaseline({ ...rest, payload });
      expect(begun.hlc_physical_ms).toBe(clock.nowMs());
    });
    await pull(0, baseline(R), created(R, C, { title: "first" }));
    await store.write(async (tx) => await tx.append(edited(R, C, { title: "mine" })));
    expect(await lastAhead(store, clock)).toBe(0);
    expect(await titleOf(store, C)).toBe("mine");
    await expectFolded(store);
  });

  test("has its changes overwritten by changes that are written here later", async () => {
    const { store, clock, pull } = await given(open);
    const write = async (title: string) =>
      await store.write(async (tx) => await tx.append(edited(P, A, { title })));
    await write("first");
    await write("second");
    expect(await lastAhead(store, clock)).toBe(YEAR_MS);
    expect(await titleOf(store, A)).toBe("second");
    await pull(-DAY_MS, edited(P, A, { title: "older" }));
    expect(await titleOf(store, A)).toBe("second");
    await expectFolded(store);
  });

  test("keeps its project's clock ahead when another write of the same transaction fails", async () => {
    const { store, clock } = await given(open);
    const failing = store.write(async (tx) => {
      await tx.append(edited(P, A, { title: "not kept" }));
      throw new Error("planted");
    });
    const kept = store.write(async (tx) => await tx.append(edited(P, A, { title: "kept" })));
    await expect(failing).rejects.toThrow("planted");
    await kept;
    await store.write(async (tx) => await tx.append(edited(P, A, { title: "after" })));
    expect(await lastAhead(store, clock)).toBe(YEAR_MS);
    expect(await titleOf(store, A)).toBe("after");
    await expectFolded(store);
  });

  test("has its changes overwritten by later changes of an issue that has left the project", async () => {
    const { store } = await given(open);
    const move = {
      ...{ from_project_uid: P, to_project_uid: Q, updated_at: T0 },
      ...{ from_short_id: A.slice(-6).toLowerCase(), to_short_id: "moved1" },
    };
    await store.write(async (tx) => {
      await tx.append({
        ...{ type: "issue.moved", actor: "ann", project_uid: Q, issue_uid: A },
        payload: move,
      });
      await tx.append(edited(Q, A, { title: "after the move" }));
    });
    expect(await titleOf(store, A)).toBe("after the move");
    await expectFolded(store);
    expect(await store.write(async (tx) => await tx.refold([A]))).toBe(0);
  });

  test("does not take back an alias that has gone to another project", async () => {
    const { store, pull } = await given(open);
    const goes = (from: string, to: string): readonly EventDraft[] => [
      aliasRemoved(from, ALIAS, false, ACT),
      aliasAdded(to, ALIAS, ACT),
    ];
    await pull(0, baseline(R));
    await append(store, aliasAdded(P, ALIAS, ACT), ...goes(P, Q), ...goes(Q, P), ...goes(P, R));
    expect(await projectWithAlias(store)).toBe(R);
    await expectFolded(store);
    await pull(2 * YEAR_MS, baseline(P));
    expect(await projectWithAlias(store)).toBe(R);
    await expectFolded(store);
  });
});

describeStore("a hub whose clock is a year behind", (open) => {
  test("lets its project take over the aliases of a project that is merged into it", async () => {
    const { store, pull } = await given(open);
    await pull(-YEAR_MS, baseline(R));
    const merge = { source_uid: Q, source_name: "api", short_id_extensions: [] };
    await append(store, aliasAdded(Q, ALIAS, ACT), projectMerged(R, merge, ACT));
    expect(await projectWithAlias(store)).toBe(R);
    await expectFolded(store);
  });
});
