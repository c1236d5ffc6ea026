import { expect, test } from "vitest";
import type { EventDraft, StoredEvent } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../src/store/types/store.ts";
import { describeStore } from "../support/store.ts";
import { closed, commented, created, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asSpoke } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const [A, B, FIRST, SECOND] = [uid(11), uid(12), uid(21), uid(22)];
const KEY = { idempotency_key: "k", idempotency_fingerprint: "f".repeat(64) };

function issue(of: string, key: object = {}): EventDraft<"issue.created"> {
  return created(P, of, { short_id: of === A ? "a1" : "b1", title: of, ...key });
}

function keyed<K extends "issue.closed" | "issue.commented">(draft: EventDraft<K>): EventDraft<K> {
  return { ...draft, payload: { ...draft.payload, ...KEY } };
}

/** Two events whose requests had the same key: a key that has expired may be used again. */
const USES = {
  create: [issue(A, KEY), issue(B, KEY)],
  close: [keyed(closed(P, A)), keyed(closed(P, B))],
  comment: [keyed(commented(P, A, FIRST, "first")), keyed(commented(P, A, SECOND, "second"))],
} as const satisfies Readonly<Record<string, readonly [EventDraft, EventDraft]>>;

type Operation = keyof typeof USES;
const SCOPES: Readonly<Record<Operation, string>> = { create: P, close: P, comment: A };
const OPERATIONS = Object.keys(USES) as readonly Operation[];

async function append(store: AdminStore, draft: EventDraft): Promise<StoredEvent> {
  return await store.write(async (tx) => await tx.append(draft));
}

async function opened(open: () => Promise<AdminStore>, operation: Operation) {
  const store = await open();
  await asSpoke(store);
  if (operation !== "create") for (const of of [A, B]) await append(store, issue(of));
  const [first, second] = [
    await append(store, USES[operation][0]),
    await append(store, USES[operation][1]),
  ];
  await expectFolded(store);
  const owner = async () =>
    await store.read(
      async ({ marks }) =>
        (await marks.findIdempotency(SCOPES[operation], operation, "k"))?.event_uid,
    );
  const skip = async ({ uid: event }: StoredEvent) =>
    await store.write(async (tx) => await tx.skipEvents([event]));
  const purge = async (of: string) =>
    await store.write(async (tx) => {
      const found = await tx.issues.find(of);
      if (found !== undefined) await tx.purgeIssue(found, { actor: "ann", reason: null });
    });
  return { store, first, second, owner, skip, purge };
}

describeStore("an idempotency key that two requests have used", (open) => {
  test.each(OPERATIONS)(
    "belongs to the first %s again after the event of the second one is skipped",
    async (operation) => {
      const { store, first, second, owner, skip } = await opened(open, operation);
      expect(await owner()).toBe(second.uid);
      await skip(second);
      expect(await owner()).toBe(first.uid);
      await expectFolded(store);
    },
  );

  test.each(OPERATIONS)(
    "stays with the second %s if the event of the first one is skipped",
    async (operation) => {
      const { store, first, second, owner, skip } = await opened(open, operation);
      await skip(first);
      expect(await owner()).toBe(second.uid);
      await expectFolded(store);
    },
  );

  test.each(OPERATIONS)(
    "belongs to no %s any more after the events of both are skipped",
    async (operation) => {
      const { store, first, second, owner, skip } = await opened(open, operation);
      await skip(first);
      await skip(second);
      expect(await owner()).toBeUndefined();
      await expectFolded(store);
    },
  );

  test.each(["create", "close"] as const)(
    "is not given back to a skipped %s when the issue of the second one is purged",
    async (operation) => {
      const { store, first, owner, skip, purge } = await opened(open, operation);
      await skip(first);
      await purge(B);
      expect(await owner()).toBeUndefined();
      await expectFolded(store);
    },
  );

  test.each(OPERATIONS)(
    "belongs to no %s after a copy is cleared whose hub has the events, whether the events are kept or not",
    async (operation) => {
      for (const keepsEvents of [true, false]) {
        const { store, second, owner } = await opened(open, operation);
        const events = await store.read(async (reader) => await reader.events.after(0, 100));
        const sent = events.filter(({ type }) => type.startsWith("issue."));
        const echoed = sent.map((event, at): ForeignEvent => ({ ...event, hub_event_id: at + 10 }));
        await admitAs(store, { fromHub: true }, ...echoed);
        expect(await owner()).toBe(second.uid);
        await store.write(async (tx) => {
          await tx.clearReplica(P, { sentUpTo: second.id, keepsEvents });
        });
        expect(await owner()).toBeUndefined();
        await expectFolded(store);
      }
    },
  );
});
