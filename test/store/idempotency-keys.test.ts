import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { created, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
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

  test.each(["in one page", "one after the other"])(
    "belongs to the later of two events of one daemon, in whatever order they arrive: %s",
    async (how) => {
      const store = await open();
      await store.write(async (tx) => await tx.append(projectCreated(P, "web")));
      const made = new ForeignEvents();
      const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms, hub_event_id: 10 - ms });
      const first = made.next(keyed(A), at(1));
      const [second, third] = [made.next(keyed(B), at(2)), made.next(keyed(C), at(3))];
      await admitAs(store, { fromHub: true }, made.next(baseline(P), at(0)));
      if (how === "in one page")
        await store.write(async (tx) => await tx.admit([third, first, second], { fromHub: true }));
      else
        for (const event of [third, first, second]) await admitAs(store, { fromHub: true }, event);
      await expectFolded(store);
      expect(await store.write(async (tx) => await tx.refold([A, B, C]))).toBe(0);
    },
  );
});
