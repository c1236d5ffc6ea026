import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { candidatesPerSource, hybridOrder, type WordHit } from "../../src/domain/fusion.ts";

const byName = (a: string, b: string): number => (a < b ? -1 : 1);
const hits = (uids: string): readonly WordHit[] => [...uids].map((uid) => ({ uid }));

describe("merging hits by words with hits by meaning", () => {
  // The worked values of docs/contract/search.md#43-fusion.
  test.each([
    ["first in both", "a", "a", 2 / 61],
    ["first in one", "a", "", 1 / 61],
    ["second by words and fifth by meaning", "xa", "x234a", 1 / 62 + 1 / 65],
  ])("a hit that is %s scores the sum of 1 / (60 + rank)", (_what, words, near, score) => {
    const found = hybridOrder(hits(words), [...near], byName);
    expect(found.find(({ uid }) => uid === "a")?.score).toBeCloseTo(score, 12);
  });

  test.each([
    ["without hits by meaning, it is that of the words", "abc", "", "abc"],
    ["without hits by words, it is that of the meaning", "", "abc", "abc"],
    ["a hit of both comes before a hit of one", "ab", "bc", "bac"],
    ["equal scores are ordered by the given rule", "b", "a", "ab"],
    ["one foreign hit at most comes before the best by words", "abcde", "vwxyz", "avbcdewxyz"],
    ["the sixth by words is not guarded", "abcdef", "fvwxyz", "fabcdevwxyz"],
  ])("the order of hits: %s", (_what, words, near, order) => {
    const found = hybridOrder(hits(words), [...near], byName);
    expect(found.map(({ uid }) => uid).join("")).toBe(order);
  });

  test("an issue that the query names comes before hits of both kinds", () => {
    const words = [{ uid: "a" }, { uid: "n", pinned: true }, { uid: "b" }];
    const found = hybridOrder(words, ["b", "a"], byName);
    expect(found.map(({ uid }) => uid)).toEqual(["n", "a", "b"]);
  });

  test("the rules of order hold for any two rankings", () => {
    const uids = "abcdefghijklmnop".split("");
    const ranking = fc.shuffledSubarray(uids);
    fc.assert(
      fc.property(ranking, ranking, fc.subarray(uids), (byWords, near, pinnedUids) => {
        const words = byWords.map((uid) => ({ uid, pinned: pinnedUids.includes(uid) }));
        const found = hybridOrder(words, near, byName);
        const order = found.map(({ uid }) => uid);
        expect(order.toSorted()).toEqual([...new Set([...byWords, ...near])].toSorted());
        const pinned = byWords.filter((uid) => pinnedUids.includes(uid));
        expect(order.slice(0, pinned.length)).toEqual(pinned);
        const alone = [...pinned, ...byWords.filter((uid) => !pinned.includes(uid))];
        for (const [at, uid] of alone.slice(0, 5).entries())
          expect(order.indexOf(uid)).toBeLessThanOrEqual(at + 1);
        const scores = found.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test.each([
    [1, 50],
    [16, 50],
    [17, 51],
    [66, 198],
    [67, 200],
    [200, 200],
  ])("a search for %i results reads %i hits of each ranking", (limit, depth) => {
    expect(candidatesPerSource(limit)).toBe(depth);
  });
});
