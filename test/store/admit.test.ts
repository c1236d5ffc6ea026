import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft, StoredEvent } from "../../src/contract/events.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { wireOf } from "../../src/domain/federation/wire.ts";
import { MemoryState } from "../../src/domain/memory.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { created, edited, labeled, linksChanged, projectCreated, uid } from "./drafts.ts";
import { collect, expectFolded } from "./fold.ts";
import {
  admitAs,
  asHub,
  BEGIN_MS,
  baseline,
  type Clocked,
  ForeignEvents,
  ORIGIN,
  withHash,
} from "./foreign-events.ts";
import { chunks, draftsOf, P, Q, type Step, steps } from "./random-events.ts";

/** Daemons whose events arrive here. Their clocks are apart by up to an hour. */
const ORIGINS = [
  { uid: ORIGIN, aheadMs: 0 },
  { uid: uid(902), aheadMs: 3_600_000 },
  { uid: uid(903), aheadMs: -3_600_000 },
] as const;
const [A, B, C] = [uid(11), uid(12), uid(13)];

let made = new ForeignEvents();
const foreign = (draft: EventDraft, clock: Clocked): ForeignEvent => made.next(draft, clock);

/** A database that is the hub of two projects. */
const hub = async (open: () => Promise<AdminStore>) => await asHub(await open());

const admit = async (store: AdminStore, ...events: readonly ForeignEvent[]) =>
  await admitAs(store, { fromHub: false }, ...events);

const titleOf = async (store: AdminStore, issue: string) =>
  await store.read(async ({ issues }) => (await issues.find(issue))?.title);

/** The ids that the stored events have on the hub. */
async function hubIds(store: AdminStore, ...events: readonly ForeignEvent[]) {
  const snapshot = await store.openSnapshot();
  const stored = new Map((await collect(snapshot, "event")).map((event) => [event.uid, event]));
  await snapshot.close();
  return events.map(({ uid: own }) => stored.get(own)?.hub_event_id);
}

/** Events of three daemons about the same issues, as each daemon wrote them. */
function eventsOfThree(all: readonly Step[], origins: readonly number[]): readonly ForeignEvent[] {
  // The same steps give the same uids, so that a seed repeats its failure.
  made = new ForeignEvents();
  const state = new MemoryState();
  for (const [project, name] of [
    [P, "web"],
    [Q, "api"],
  ] as const) {
    const event = { ...foreign(projectCreated(project, name), { hlc_physical_ms: 1 }) };
    state.apply(evolve(state, { ...event, id: 0, chain: "" } as StoredEvent));
  }
  return all.flatMap((step, at) => {
    const origin = ORIGINS[(origins[at] ?? 0) % ORIGINS.length] ?? ORIGINS[0];
    return draftsOf(state, step).flatMap((draft, counter) => {
      const hlc_physical_ms = BEGIN_MS + at * 60_000 + origin.aheadMs;
      const clock = { hlc_physical_ms, hlc_counter: counter, origin_instance_uid: origin.uid };
      const event = foreign(withOwnComment(draft), clock);
      state.apply(evolve(state, { ...event, id: 0, chain: "" } as StoredEvent));
      return wireOf(draft.type) === undefined ? [] : [event];
    });
  });
}

/** Comments of two issues never have the same uid, which the random steps do not know. */
function withOwnComment(draft: EventDraft): EventDraft {
  if (draft.type !== "issue.commented") return draft;
  const [issue, comment] = [draft.issue_uid ?? "", draft.payload.comment_uid];
  const comment_uid = `${issue.slice(0, -4)}${issue.slice(-2)}${comment.slice(-2)}`;
  return { ...draft, payload: { ...draft.payload, comment_uid } };
}

describeStore("events of other daemons", (open) => {
  test("events are folded by their clocks, in whatever order and pages they arrive", {
    timeout: 180_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.nat(2), { minLength: 80, maxLength: 80 }),
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 4, max: 30 }),
        async (all, origins, chance, size) => {
          const store = await hub(open);
          const events = eventsOfThree(all, origins).map((event) => ({
            event,
            order: chance.next().value,
          }));
          const shuffled = events.sort((one, other) => one.order - other.order);
          for (const page of chunks(shuffled, size))
            await admitAs(store, { fromHub: true }, ...page.map(({ event }) => event));
          await expectFolded(store);
          const uids = [...new Set(events.flatMap(({ event }) => event.issue_uid ?? []))];
          const refolded = await store.write(async (tx) => await tx.refold(uids));
          await store.close();
          expect(refolded).toBe(0);
        },
      ),
      { numRuns: open.dialect === "sqlite" ? 30 : 6, endOnFailure: true },
    );
  });

  test("events take effect after the last baseline of their project, however old they are", async () => {
    const store = await hub(open);
    await store.write(async (tx) => await tx.append(created(P, A, { title: "made here" })));
    await admit(store, foreign(edited(P, A, { title: "offline" }), { hlc_physical_ms: BEGIN_MS }));
    expect(await titleOf(store, A)).toBe("made here");
    await store.write(async (tx) => await tx.append(baseline(P)));
    await admit(
      store,
      foreign(edited(P, A, { title: "offline again" }), { hlc_physical_ms: BEGIN_MS }),
    );
    expect(await titleOf(store, A)).toBe("offline again");
    await expectFolded(store);
  });

  test("known events change nothing, except that the hub's ids of these events are stored", async () => {
    const store = await hub(open);
    const event = foreign(created(P, A), { hlc_physical_ms: BEGIN_MS });
    const twice = foreign(labeled(P, A, "bug"), { hlc_physical_ms: BEGIN_MS + 1 });
    expect(await admit(store, event, twice, twice)).toEqual({
      accepted: 2,
      duplicates: 1,
      dropped: 0,
    });
    const again = { ...event, hub_event_id: 77 };
    const duplicate = { accepted: 0, duplicates: 1, dropped: 0 };
    expect(await admit(store, again)).toEqual(duplicate);
    expect(await hubIds(store, event, twice)).toEqual([undefined, undefined]);
    expect(await admitAs(store, { fromHub: true }, again)).toEqual(duplicate);
    expect(await admitAs(store, { fromHub: true }, { ...event, hub_event_id: 78 })).toEqual(
      duplicate,
    );
    expect(await hubIds(store, event, twice)).toEqual([77, undefined]);
  });

  test("events have an id on the hub only if the hub sent them", async () => {
    const store = await hub(open);
    const clock = { hlc_physical_ms: BEGIN_MS };
    const [told, believed] = [
      foreign(created(P, A), { ...clock, hub_event_id: 70 }),
      foreign(created(P, B), { ...clock, hub_event_id: 71 }),
    ];
    await admit(store, told);
    await admitAs(store, { fromHub: true }, believed);
    expect(await hubIds(store, told, believed)).toEqual([undefined, 71]);
  });

  test("events with a known uid and another content are refused, and nothing of their page is written", async () => {
    const store = await hub(open);
    const event = foreign(created(P, A), { hlc_physical_ms: BEGIN_MS });
    await admit(store, event);
    const other = foreign(created(P, A, { title: "other" }), { hlc_physical_ms: BEGIN_MS });
    const forged = withHash({ ...other, uid: event.uid });
    const last = await store.read(async ({ events }) => await events.lastId());
    await expect(
      admit(store, foreign(created(P, B), { hlc_physical_ms: BEGIN_MS }), forged),
    ).rejects.toMatchObject({
      code: "conflict",
      data: { fault: "remote_event_conflict", event_uid: event.uid },
    });
    expect(await store.read(async ({ events }) => await events.lastId())).toBe(last);
  });

  test("events whose content does not match their hash are refused", async () => {
    const store = await hub(open);
    const event = foreign(created(P, A), { hlc_physical_ms: BEGIN_MS });
    const changed = { ...event, actor: "eve" } as ForeignEvent;
    await expect(admit(store, changed)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(event.uid),
    });
  });

  test("events of a purged issue are dropped, and links to it never appear", async () => {
    const store = await hub(open);
    await store.write(async (tx) => {
      for (const issue of [A, B]) await tx.append(created(P, issue));
    });
    await store.write(async (tx) => {
      const issue = await tx.issues.find(A);
      if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
    });
    const clock = { hlc_physical_ms: BEGIN_MS };
    const admitted = await admit(
      store,
      foreign(edited(P, A, { title: "back" }), clock),
      foreign(created(P, A), clock),
      foreign(linksChanged(P, B, { blocks_added_uids: [A] }), clock),
    );
    expect(admitted).toEqual({ accepted: 1, duplicates: 0, dropped: 2 });
    expect(await titleOf(store, A)).toBeUndefined();
    await expectFolded(store);
  });

  test("events move the clock of the database forward, so that later writes here come after these events", async () => {
    const store = await hub(open);
    await store.write(async (tx) => await tx.append(created(P, A)));
    const { hlc_physical_ms } = await store.read(async ({ events }) => await events.head());
    const ahead = hlc_physical_ms + 3_600_000;
    await admit(
      store,
      foreign(edited(P, A, { title: "ahead" }), { hlc_physical_ms: ahead, hlc_counter: 7 }),
    );
    await store.write(async (tx) => await tx.append(edited(P, A, { title: "last" })));
    expect(await store.read(async ({ events }) => await events.head())).toMatchObject({
      hlc_physical_ms: ahead,
      hlc_counter: 8,
    });
    expect(await titleOf(store, A)).toBe("last");
    await expectFolded(store);
  });

  test("events of one issue are folded by their clocks when the later one arrives first", async () => {
    const store = await hub(open);
    const clock = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms });
    await admit(store, ...[A, B, C].map((issue) => foreign(created(P, issue), clock(0))));
    await admit(store, foreign(edited(P, A, { title: "second" }), clock(2)));
    await admit(store, foreign(edited(P, A, { title: "first" }), clock(1)));
    await admit(store, foreign(linksChanged(P, B, { parent_set_uid: C }), clock(4)));
    await admit(store, foreign(linksChanged(P, B, { parent_set_uid: A }), clock(3)));
    expect(await titleOf(store, A)).toBe("second");
    const link = await store.read(async (reader) => await reader.links.parentOf(B));
    expect(link?.to_uid).toBe(C);
    await expectFolded(store);
  });

  test("events take effect after a baseline that arrives later, if the hub got these events after the baseline", async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.append(projectCreated(P, "web"));
    });
    const sent = (ms: number, hub_event_id: number) => ({
      ...{ origin_instance_uid: ORIGINS[1].uid, hlc_physical_ms: BEGIN_MS + ms, hub_event_id },
    });
    const pages = [
      foreign(created(P, A), sent(0, 5)),
      foreign(edited(P, A, { title: "written offline" }), sent(10, 20)),
      foreign(edited(P, A, { title: "before the baseline" }), sent(50, 6)),
      foreign(baseline(P), sent(100, 10)),
    ];
    for (const event of pages) await admitAs(store, { fromHub: true }, event);
    expect(await titleOf(store, A)).toBe("written offline");
    await expectFolded(store);
  });

  test("unsent events take effect after a baseline that arrives from the hub", async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.append(projectCreated(P, "web"));
    });
    const from = { origin_instance_uid: ORIGINS[1].uid };
    const sent = (ms: number, hub_event_id: number) => ({
      ...from,
      ...{ hlc_physical_ms: BEGIN_MS + ms, hub_event_id },
    });
    await admitAs(
      store,
      { fromHub: true },
      foreign(baseline(P), sent(0, 10)),
      foreign(created(P, A, { title: "of the hub" }), sent(1, 11)),
    );
    await store.write(async (tx) => await tx.append(edited(P, A, { title: "not sent" })));
    const { hlc_physical_ms } = await store.read(async ({ events }) => await events.head());
    const ahead = hlc_physical_ms - BEGIN_MS + 5000;
    await admitAs(
      store,
      { fromHub: true },
      foreign(edited(P, A, { title: "later on the hub" }), sent(ahead - 1, 12)),
      foreign(baseline(P), sent(ahead, 13)),
    );
    expect(await titleOf(store, A)).toBe("not sent");
    await expectFolded(store);
  });
});
