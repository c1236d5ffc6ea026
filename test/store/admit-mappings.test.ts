import { expect, test } from "vitest";
import type { EventDraft, Payload } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { created, deleted, edited, T0, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asHub, asSpoke, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const [A, B, C] = [uid(11), uid(12), uid(13)];
const RECORD = { source: "github", external_id: "7" } as const;
/** A daemon that is not the hub. */
const OTHER = uid(903);

const imported = (issue: string) => created(P, issue, RECORD);

function snapshot(issue_uid: string, ofRecord = true): EventDraft<"issue.snapshot"> {
  const payload: Payload<"issue.snapshot"> = {
    ...{ uid: issue_uid, short_id: issue_uid.slice(-4).toLowerCase(), title: "one", body: "" },
    ...{ author: "ann", status: "open", metadata: {}, revision: 1, created_at: T0, updated_at: T0 },
    ...(ofRecord ? { sources: [{ ...RECORD, imported_at: T0 }] } : {}),
  };
  return { type: "issue.snapshot", actor: "ann", project_uid: P, issue_uid, payload };
}

const holder = async (store: AdminStore) =>
  (await store.read(async ({ marks }) => await marks.findImport(P, RECORD.source, "7")))?.issue_uid;

async function writeHere(store: AdminStore, ...drafts: readonly EventDraft[]) {
  return await store.write(async (tx) => {
    const events = [];
    for (const draft of drafts) events.push(await tx.append(draft));
    return events;
  });
}

/** The issue that has the record, after a comparison of the rows with the whole fold. */
async function foldedHolder(store: AdminStore): Promise<string | undefined> {
  await expectFolded(store);
  return await holder(store);
}

const purge = async (store: AdminStore, uidOf: string) =>
  await store.write(async (tx) => {
    const issue = await tx.issues.find(uidOf);
    if (issue === undefined) throw new Error("there is no such issue");
    await tx.purgeIssue(issue, { actor: "ann", reason: null });
  });

describeStore("two issues that were imported from one record", (open) => {
  test("the issue that the hub knew first keeps the record, whatever the clocks say", async () => {
    for (const isEarlier of [true, false]) {
      const store = await asHub(await open());
      await writeHere(store, imported(A));
      const { hlc_physical_ms } = await store.read(async ({ events }) => await events.head());
      const clock = { hlc_physical_ms: isEarlier ? BEGIN_MS : hlc_physical_ms + 1000 };
      await admitAs(store, { fromHub: false }, new ForeignEvents().next(imported(B), clock));
      expect(await foldedHolder(store)).toBe(A);
    }
  });

  test("an unsent issue of a copy leaves the record to the hub's issue", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await writeHere(store, imported(A));
    expect(await foldedHolder(store)).toBe(A);
    await pull(imported(B));
    expect(await foldedHolder(store)).toBe(B);
    await pull(imported(C));
    expect(await foldedHolder(store)).toBe(B);
  });

  test("an issue that a copy has sent keeps the record when a younger issue of the hub arrives", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    const [own] = await writeHere(store, imported(A));
    if (own === undefined) throw new Error("one event was written");
    const { id: _id, chain: _chain, ...event } = own;
    const echo = { ...event, hub_event_id: 500 } as ForeignEvent;
    const later = new ForeignEvents(7000).next(imported(B), {
      ...{ hlc_physical_ms: BEGIN_MS, hub_event_id: 501 },
    });
    await admitAs(store, { fromHub: true }, echo, later);
    expect(await foldedHolder(store)).toBe(A);
    await pull(edited(P, B, { title: "two" }));
    expect(await foldedHolder(store)).toBe(A);
  });

  test.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 3, 1]]])(
    "the same issue has the record, in whatever order the issues arrive: %j",
    async (order) => {
      const store = await open();
      await asSpoke(store);
      const made = new ForeignEvents(7000);
      const at = (hub: number) => ({
        hub_event_id: 500 + hub,
        hlc_physical_ms: BEGIN_MS + 90 - hub,
      });
      const events = [A, B, C].map((issue, n) => made.next(imported(issue), at(n + 1)));
      for (const n of order) {
        const event = events[n - 1];
        if (event !== undefined) await admitAs(store, { fromHub: true }, event);
      }
      expect(await foldedHolder(store)).toBe(A);
      const whole = await open();
      await asSpoke(whole);
      await admitAs(whole, { fromHub: true }, ...order.flatMap((n) => events[n - 1] ?? []));
      expect(await foldedHolder(whole)).toBe(A);
    },
  );

  test("a baseline of the hub says which issue has the record, and the last baseline counts", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(imported(A), imported(B));
    expect(await foldedHolder(store)).toBe(A);
    await pull(baseline(P), snapshot(A, false), snapshot(B));
    expect(await foldedHolder(store)).toBe(B);
    await pull(baseline(P), snapshot(A), snapshot(B, false));
    expect(await foldedHolder(store)).toBe(A);
  });

  test("an issue of a project that is handed over takes the record from no other issue", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(imported(A));
    const handedOver = new ForeignEvents(7000).next(snapshot(B), {
      ...{ hlc_physical_ms: BEGIN_MS + 50, hub_event_id: 500, origin_instance_uid: OTHER },
    });
    await admitAs(store, { fromHub: true }, handedOver);
    expect(await foldedHolder(store)).toBe(A);
  });

  test("a deleted issue keeps the record, but a purged issue leaves the record to the next issue, on hub and copy", async () => {
    const hub = await asHub(await open());
    await writeHere(hub, imported(A));
    const late = new ForeignEvents().next(imported(B), { hlc_physical_ms: BEGIN_MS });
    await admitAs(hub, { fromHub: false }, late);
    await writeHere(hub, deleted(P, A));
    expect(await foldedHolder(hub)).toBe(A);
    await purge(hub, A);
    expect(await foldedHolder(hub)).toBe(B);
    const copy = await open();
    const pull = await asSpoke(copy);
    await pull(imported(A), imported(B), imported(C));
    const first = baseline(P);
    await pull({ ...first, payload: { ...first.payload, purged_uids: [A] } });
    expect(await foldedHolder(copy)).toBe(B);
    await pull({ ...first, payload: { ...first.payload, purged_uids: [A, B, C] } });
    expect(await foldedHolder(copy)).toBeUndefined();
  });
});
