import fc from "fast-check";
import { expect, test } from "vitest";
import { nextRange } from "../../../src/store/text/newest.ts";

const MOST = 250;
/** The most rows that one read of a range reads. */
const READ = 3073;

/** Ids that are dense in some parts and sparse in others. */
const ids = fc
  .array(
    fc.record({
      length: fc.integer({ min: 1, max: 40_000 }),
      every: fc.constantFrom(1, 2, 7, 40, 900, 50_000),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => {
    let from = 1;
    return parts.flatMap(({ length, every }) => {
      const start = from;
      from += length;
      return Array.from({ length: Math.ceil(length / every) }, (_, at) => start + at * every);
    });
  });

test("a range is widened and narrowed until it holds enough of the newest issues, in few steps", () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 30_000 }), (has, rest) => {
      const newest = (has.at(-1) ?? 0) + rest;
      const first = Math.max(0, Math.floor((newest - 1024) / 1024) * 1024);
      let range = { from: first, short: newest + 1, many: -1 };
      for (let step = 1; ; step += 1) {
        expect(step).toBeLessThanOrEqual(20);
        const { from } = range;
        const count = Math.min(READ, has.filter((id) => id >= from).length);
        const next = nextRange(range, count, MOST, newest);
        if (next === undefined) {
          expect(count).toBeLessThan(READ);
          expect(count >= MOST || from === 0).toBe(true);
          return;
        }
        range = next;
      }
    }),
    { numRuns: 300 },
  );
});
