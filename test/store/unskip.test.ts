import { expect, test } from "vitest";
import type { EventDraft, StoredEvent } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { created, edited, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asSpoke } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const [A, B] = [uid(11), uid(12)];

const write = async (store: AdminStore, ...drafts: readonly EventDraft[]) =>
  await store.write(async (tx) => await tx.appendAll(drafts));

const skip = async (store: AdminStore, events: readonly StoredEvent[]) =>
  await store.write(async (tx) => await tx.skipEvents(events.map((event) => event.uid)));

/** The hub sends the events back, as it does with all that it has accepted. */
const echo = async (store: AdminStore, events: readonly StoredEvent[], from = 100) =>
  await admitAs(
    store,
    { fromHub: true },
    ...events.map((event, at): ForeignEvent => ({ ...event, hub_event_id: from + at })),
  );

const marks = async (store: AdminStore, of: string) =>
  await store.read(async ({ events }) =>
    (await events.ofIssue(of, 0, 100)).map(({ type, skipped_at }) => [
      type,
      skipped_at !== undefined,
    ]),
  );

const titleOf = async (store: AdminStore, issue: string) =>
  await store.read(async ({ issues }) => (await issues.find(issue))?.title);

describeStore("a skipped event that the hub turns out to have", (open) => {
  test("counts again, and the issue that it created appears as the hub has this issue", async () => {
    const store = await open();
    await asSpoke(store);
    const events = await write(
      store,
      created(P, A, { short_id: "a1", title: "first" }),
      edited(P, A, { title: "second" }),
      edited(P, A, { title: "third" }),
    );
    expect(await skip(store, events)).toBe(3);
    expect(await titleOf(store, A)).toBeUndefined();
    await expectFolded(store);
    const before = await store.read(async (reader) => await reader.events.resetAfter([P]));
    expect(await echo(store, events.slice(0, 2))).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await titleOf(store, A)).toBe("second");
    expect(await marks(store, A)).toEqual([
      ["issue.created", false],
      ["issue.updated", false],
      ["issue.updated", true],
    ]);
    expect(await store.read(async (reader) => await reader.events.resetAfter([P]))).toBeGreaterThan(
      before,
    );
    await expectFolded(store);
  });

  test("is folded in its original place, and not in the order of its return", async () => {
    const store = await open();
    await asSpoke(store);
    const [made, first, last] = await write(
      store,
      created(P, A, { short_id: "a1", title: "first" }),
      edited(P, A, { title: "second" }),
      edited(P, A, { title: "third" }),
    );
    if (made === undefined || first === undefined || last === undefined) throw new Error("three");
    await echo(store, [made]);
    await skip(store, [first]);
    expect(await titleOf(store, A)).toBe("third");
    await echo(store, [last, first], 200);
    expect(await titleOf(store, A)).toBe("third");
    await expectFolded(store);
  });

  test("gives its issue another short id if another issue got the old short id meanwhile", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    const events = await write(store, created(P, A, { short_id: "a1", title: "first" }));
    await skip(store, events);
    await pull(created(P, B, { short_id: "a1", title: "of the hub" }));
    await echo(store, events, 500);
    expect(await titleOf(store, A)).toBe("first");
    expect(await titleOf(store, B)).toBe("of the hub");
    const ids = await store.read(async ({ issues }) => [
      (await issues.find(A))?.short_id,
      (await issues.find(B))?.short_id,
    ]);
    expect(ids[1]).toBe("a1");
    expect(ids[0]).not.toBe("a1");
    await expectFolded(store);
  });

  test("leaves its idempotency key to the event of the same request that was repeated meanwhile", async () => {
    const store = await open();
    await asSpoke(store);
    const mark = { idempotency_key: "k", idempotency_fingerprint: "f".repeat(64) };
    const first = await write(store, created(P, A, { short_id: "a1", title: "first", ...mark }));
    await skip(store, first);
    const [again] = await write(store, created(P, B, { short_id: "b1", title: "again", ...mark }));
    await expectFolded(store);
    await echo(store, first);
    const key = await store.read(
      async ({ marks }) => await marks.findIdempotency(P, "create", "k"),
    );
    expect(key?.event_uid).toBe(again?.uid);
    await expectFolded(store);
  });

  test("is not skipped if the hub is already known to have the event", async () => {
    const store = await open();
    await asSpoke(store);
    const events = await write(store, created(P, A, { short_id: "a1", title: "first" }));
    await echo(store, events);
    expect(await skip(store, events)).toBe(0);
    expect(await titleOf(store, A)).toBe("first");
  });
});
