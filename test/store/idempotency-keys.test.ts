import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { created, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, BEGIN_MS, ForeignEvents } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const [A, B, C] = [uid(11), uid(12), uid(13)];
const keyed = (issue: string) =>
  created(P, issue, { idempotency_key: "k", idempotency_fingerprint: issue });

describeStore("an idempotency key in an event of another daemon", (open) => {
  test("neither replaces the same key of this daemon, nor is found here", async () => {
    const store = await open();
    const found = async () =>
      await store.read(
        async ({ marks }) => (await marks.findIdempotency(P, "create", "k"))?.fingerprint,
      );
    await store.write(async (tx) => await tx.append(projectCreated(P, "web")));
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms, hub_event_id: ms + 1 });
    await admitAs(store, { fromHub: true }, made.next(keyed(B), at(0)));
    expect(await found()).toBeUndefined();
    await store.write(async (tx) => await tx.append(keyed(A)));
    expect(await found()).toBe(A);
    await admitAs(store, { fromHub: true }, made.next(keyed(C), at(1)));
    expect(await found()).toBe(A);
    await expectFolded(store);
    expect(await store.write(async (tx) => await tx.refold([A, B, C]))).toBe(0);
  });
});
