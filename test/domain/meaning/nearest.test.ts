import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bestIssues,
  candidatesFor,
  closest,
  isExhausted,
} from "../../../src/domain/meaning/nearest.ts";

describe("candidates by sign bits", () => {
  const bits = Uint32Array.of(0b1111, 0b0001, 0b0011, 0b0000, 0b0011);
  const query = Uint32Array.of(0b0011);

  test("come by the number of bits that differ, then by number", () => {
    expect([...closest(bits, 1, query, 10)]).toEqual([2, 4, 1, 0, 3]);
  });

  test("are at most as many as asked for", () => {
    expect([...closest(bits, 1, query, 2)]).toEqual([2, 4]);
    expect([...closest(bits, 1, query, 0)]).toEqual([]);
    expect([...closest(new Uint32Array(0), 1, query, 10)]).toEqual([]);
  });

  test("are only those that are marked", () => {
    expect([...closest(bits, 1, query, 2, Uint8Array.of(1, 0, 0, 1, 1))]).toEqual([4, 0]);
    expect([...closest(bits, 1, query, 2, new Uint8Array(5))]).toEqual([]);
  });

  test("are what counting every bit of every chunk gives", () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word), { maxLength: 40 }),
        fc.tuple(word, word),
        fc.nat(50),
        (chunks, asked, most) => {
          const distance = (chunk: number): number =>
            [0, 1].reduce(
              (sum, at) => sum + ones((chunks[chunk]?.[at] ?? 0) ^ (asked[at] ?? 0)),
              0,
            );
          const expected = [...chunks.keys()]
            .sort((a, b) => distance(a) - distance(b) || a - b)
            .slice(0, most);
          const found = closest(Uint32Array.from(chunks.flat()), 2, Uint32Array.from(asked), most);
          expect([...found]).toEqual(expected);
        },
      ),
    );
  });

  test.each([
    [20, 0, 0],
    [20, 19_999, 19_999],
    [20, 20_000, 2000],
    [200, 100_000, 2000],
    [201, 100_000, 2010],
    [1000, 100_000, 10_000],
  ])("for %i issues out of %i chunks, %i chunks are scored", (limit, chunks, candidates) => {
    expect(candidatesFor(limit, chunks)).toBe(candidates);
  });
});

describe("issues by the scores of their chunks", () => {
  test("have the score of their best chunk, best first, then by number", () => {
    const scores = scoresOf([3, 1, 2, 1, 1], [0.5, 0.4, 0.5, 0.9, 0.1]);
    const best = [
      { issue: 1, cosine: 0.9 },
      { issue: 2, cosine: 0.5 },
      { issue: 3, cosine: 0.5 },
    ];
    expect(bestIssues(scores, 10)).toEqual(best);
    expect(bestIssues(scores, 2)).toEqual(best.slice(0, 2));
  });

  test("are left out under a cosine of 0.3", () => {
    const scores = scoresOf([1, 2, 3, 4], [0.3, 0.2999, -1, Number.NaN]);
    expect(bestIssues(scores, 10)).toEqual([{ issue: 1, cosine: 0.3 }]);
  });
});

describe("whether more candidates can give another hit", () => {
  test.each([
    ["all were scored", 4, [0.9, 0.9, 0.9, 0.9], true],
    ["there are none", 0, [], true],
    ["the last quarter is too far away", 100, [0.9, 0.9, 0.9, 0.29], true],
    ["the last quarter has no vectors any more", 100, [0.9, 0.9, 0.9, Number.NaN], true],
    [
      "one of the last quarter is near enough",
      100,
      [0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3],
      false,
    ],
  ])("if %s", (_what, all, cosines, exhausted) => {
    expect(isExhausted(all, Float64Array.from(cosines))).toBe(exhausted);
  });
});

function scoresOf(issues: readonly number[], cosines: readonly number[]) {
  return { issues: Uint32Array.from(issues), cosines: Float64Array.from(cosines) };
}

function ones(word: number): number {
  return [...(word >>> 0).toString(2)].filter((bit) => bit === "1").length;
}
