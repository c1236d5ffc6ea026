import { describe, expect, test } from "vitest";
import { candidatesPerSource, fusedScores } from "../../src/domain/fusion.ts";

describe("merging two rankings into one", () => {
  // The worked values of facts search 4.
  test.each([
    ["first in both", [["a"], ["a"]], 2 / 61],
    ["first in one", [["a"], []], 1 / 61],
    [
      "second and fifth",
      [
        ["x", "a"],
        ["1", "2", "3", "4", "a"],
      ],
      1 / 62 + 1 / 65,
    ],
  ])("a hit that ranks %s scores the sum of 1 / (60 + rank)", (_what, legs, score) => {
    expect(fusedScores(legs).get("a")).toBeCloseTo(score, 12);
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
