import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { meaningSearch } from "../../src/meaning/search.ts";
import type { Generation } from "../../src/store/types/vectors.ts";
import { FakeClock } from "../support/clock.ts";

const VECTOR = Float32Array.of(1, 0);
const FOUND = { hits: [], exhausted: true };
const UNREADABLE = { unavailable: "index_unreadable" };

const GENERATION: Generation = {
  ...{ id: 1, fingerprint: "f", model: "m", dims: 2, state: "active" },
  ...{ started_at: "2026-01-01T00:00:00.000Z", activated_at: null },
};

/** A search whose questions to the index take as long as the test says, in milliseconds of the test clock. */
function searched() {
  const clock = new FakeClock();
  const takes = { lookUp: 0, embed: 0, score: 0 };
  const after = async <T>(ms: number, value: T): Promise<T> => {
    if (ms > 0) await clock.sleep(ms);
    return value;
  };
  const vectors = { generations: async () => await after(takes.lookUp, [GENERATION]) };
  const search = meaningSearch({
    clock,
    log: silentLog,
    vectors: { of: async () => await after(takes.embed, { vector: VECTOR }) },
    scorer: { nearest: async () => await after(takes.score, FOUND) },
    fingerprint: "f",
    opened: async () =>
      await Promise.resolve({ vectors: { ...vectors, discard: async () => undefined } }),
  });
  const begunMs = clock.nowMs();
  const timed = async <T>(asked: Promise<T>): Promise<T> => {
    let isDone = false;
    void asked.finally(() => {
      isDone = true;
    });
    while (clock.nowMs() - begunMs < 60_000) {
      // Some awaits lie between an answer and the next sleep.
      for (let turns = 0; turns < 3; turns++) await yieldToLoop();
      if (isDone) return await asked;
      clock.advance(100);
    }
    throw new Error("there is no answer after a minute");
  };
  return {
    takes,
    passedMs: () => clock.nowMs() - begunMs,
    embed: async () => await timed(search.embed("owl")),
    nearest: async (until_ms: number) =>
      await timed(search.nearest({ project_uid: "p", vector: VECTOR, limit: 10, until_ms })),
    untilMs: async () => {
      const embedded = await timed(search.embed("owl"));
      if ("unavailable" in embedded) throw new Error(embedded.unavailable);
      return embedded.until_ms;
    },
  };
}

test("a search does not begin with an index that gives no answer for 3 s", async () => {
  const { takes, embed, passedMs } = searched();
  takes.lookUp = Number.POSITIVE_INFINITY;
  expect(await embed()).toEqual(UNREADABLE);
  expect(passedMs()).toBe(3000);
});

test("a search ends 3 s after its query was embedded if the index gives no answer", async () => {
  const { takes, untilMs, nearest, passedMs } = searched();
  takes.embed = 2000;
  const until = await untilMs();
  takes.lookUp = Number.POSITIVE_INFINITY;
  expect(await nearest(until)).toEqual(UNREADABLE);
  expect(passedMs()).toBe(5000);
});

test("a search that asks several times waits 3 s in all", async () => {
  const { takes, untilMs, nearest, passedMs } = searched();
  takes.score = 1200;
  const until = await untilMs();
  expect(await nearest(until)).toEqual(FOUND);
  expect(await nearest(until)).toEqual(FOUND);
  expect(await nearest(until)).toEqual(UNREADABLE);
  expect(passedMs()).toBe(3000);
  expect(await nearest(until)).toEqual(UNREADABLE);
  expect(passedMs()).toBe(3000);
});

test("the time that a search waits for the index before it embeds is part of the 3 s", async () => {
  const { takes, untilMs, nearest, passedMs } = searched();
  takes.lookUp = 2000;
  const until = await untilMs();
  expect(await nearest(until)).toEqual(UNREADABLE);
  expect(passedMs()).toBe(3000);
});
