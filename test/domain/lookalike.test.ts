import { describe, expect, test } from "vitest";
import { isLookalike, lookalikeScorer, mayLookAlike, tokens } from "../../src/domain/lookalike.ts";

describe("the words of a text", () => {
  test.each([
    ["The parser IS failing on nested lists", ["parser", "fail", "nest", "list"]],
    ["a an x I", []],
    ["ing ings sing", ["ing", "sing"]],
    ["boxes bosses bus", ["box", "boss", "bu"]],
    ["Größe/Café_2 x2", ["größe", "café", "x2"]],
    ["e\u0301tude", ["étude"]],
    ["red bed wed", ["red", "bed", "wed"]],
  ])("the words of %j are %j", (text, expected) => {
    expect([...tokens(text)].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe("the score of two texts", () => {
  test.each([
    ["equal texts", ["alpha beta", "gamma delta"], ["alpha beta", "gamma delta"], 1],
    ["equal titles without bodies", ["alpha beta", ""], ["alpha beta", ""], 0.6],
    ["equal titles and a body of stop words", ["alpha", "to be or"], ["alpha", "to be or"], 0.6],
    ["a quarter of the body in common", ["alpha", "aa bb"], ["alpha", "aa cc dd"], 0.7],
    ["half of the title, all of the body", ["aa bb", "cc dd"], ["aa", "cc dd"], 0.7],
    ["less than half of the title, all of the body", ["aa bb cc", "dd"], ["aa", "dd"], 0.2],
    ["nothing in common", ["aa", "bb"], ["cc", "dd"], 0],
  ] as const)("for %s (%j and %j) is %d", (_name, [title, body], [other, otherBody], expected) => {
    const score = lookalikeScorer({ title, body })({ title: other, body: otherBody });
    expect(score).toBeCloseTo(expected, 12);
  });

  test("counts a body overlap of exactly a quarter as 0.7, despite binary fractions", () => {
    const score = lookalikeScorer({ title: "alpha", body: "aa bb" })({
      title: "alpha",
      body: "aa cc dd",
    });
    expect(isLookalike(score)).toBe(true);
    expect(isLookalike(0.7 - 1e-8)).toBe(false);
  });

  test("uses only the first 500 code points of a body", () => {
    const filler = "😀".repeat(497);
    const inside = { title: "alpha", body: `${filler} aa` };
    const outside = { title: "alpha", body: `${filler}  aa` };
    expect(lookalikeScorer(inside)({ title: "alpha", body: "aa" })).toBe(1);
    expect(lookalikeScorer(outside)({ title: "alpha", body: "aa" })).toBe(0.6);
  });

  test.each([
    ["alpha", "beta", true],
    ["alpha", "", false],
    ["alpha", "it is", false],
    ["the", "beta", false],
  ])(
    "an issue with the title %j and the body %j may have a lookalike: %s",
    (title, body, expected) => {
      expect(mayLookAlike({ title, body })).toBe(expected);
    },
  );
});
