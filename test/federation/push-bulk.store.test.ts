import { expect, test } from "vitest";
import { created, uid } from "../store/drafts.ts";
import { describeStore } from "../support/store.ts";
import { type WritingCopy, writingCopy } from "./push-world.ts";

const KIB = 1024;
const SOFT = 768 * KIB;
/** The number in the uid of the first issue that the spoke makes here. */
const FIRST = 500_000;

/** Adds issues to the copy whose bodies have these many bytes. */
async function write({ spoke, project }: WritingCopy, bodies: readonly number[], from = FIRST) {
  const drafts = bodies.map((bytes, at) =>
    created(project.uid, uid(from + at), { body: "x".repeat(bytes) }),
  );
  await spoke.store.write(async (tx) => await tx.appendNewIssues(drafts));
}

const sizes = ({ batches }: WritingCopy) => batches.map(({ events }) => events.length);

describeStore("a large backlog of a copy", (open) => {
  test("a backlog of 20,000 events is sent in batches of at most a thousand, in one pass", {
    timeout: 600_000,
  }, async () => {
    const it = await writingCopy(open);
    await write(
      it,
      Array.from({ length: 20_000 }, () => 10),
    );
    expect(await it.pull()).toMatchObject({ outcome: "current", pages: expect.any(Number) });
    expect(it.batches.length).toBeGreaterThanOrEqual(20);
    expect(sizes(it).reduce((sum, events) => sum + events, 0)).toBe(20_000);
    for (const { events, bytes } of it.batches) {
      expect(events.length).toBeLessThanOrEqual(1000);
      expect(bytes).toBeLessThanOrEqual(SOFT);
    }
    const ids = it.batches.flatMap(({ events }) => events.map(({ event_id }) => event_id));
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    expect(await it.status()).toMatchObject({ pending_push_count: 0 });
    const sent = async (w: typeof it.hub) =>
      (await w.events())
        .filter(({ type }) => type === "issue.created")
        .map(({ uid, content_hash }) => `${uid} ${content_hash}`);
    const ofHub = await sent(it.hub);
    expect(new Set(ofHub).size).toBe(20_000);
    expect(ofHub).toEqual(await sent(it.spoke));
  });

  test("two events are sent in one batch of up to 768 KiB, and in two batches if they have one byte more", async () => {
    const it = await writingCopy(open);
    const half = 380 * KIB;
    await write(it, [half, half]);
    await it.pull();
    expect(sizes(it)).toEqual([2]);
    const rest = SOFT - (it.batches[0]?.bytes ?? 0);
    it.batches.length = 0;
    // The ids of the events have as many digits as before.
    await write(it, [half, half + rest], FIRST + 10);
    await it.pull();
    expect(it.batches.map(({ events, bytes }) => [events.length, bytes])).toEqual([[2, SOFT]]);
    it.batches.length = 0;
    await write(it, [half, half + rest + 1], FIRST + 20);
    await it.pull();
    expect(sizes(it)).toEqual([1, 1]);
  });

  test("an event of 768 KiB or of 40 MiB is sent alone and comes back from the hub", {
    timeout: 600_000,
  }, async () => {
    const it = await writingCopy(open);
    await write(it, [10, SOFT, 40 * KIB * KIB, 10]);
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(sizes(it)).toEqual([1, 1, 1, 1]);
    await it.expectOneHistory();
  });
});
