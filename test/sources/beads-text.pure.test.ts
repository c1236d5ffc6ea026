import { describe, expect, test } from "vitest";
import { spellLabel } from "../../src/domain/imports/spell-label.ts";
import { cutBytes, cutCodePoints, storableText } from "../../src/domain/imports/storable-text.ts";

describe("labels", () => {
  test.each([
    ["bug", "bug"],
    ["gt:merge-request", "gt:merge-request"],
    ["in_progress", "in_progress"],
    ["v0.30.4", "v0.30.4"],
    ["Needs Review", "needs-review"],
    ["Über  alles!", "uber-alles"],
    ["--a--", "a"],
    ["ﬁx", "fix"],
    ["日本", undefined],
    [".", undefined],
    ["-..-", undefined],
    ["...", "..."],
    ["", undefined],
    ["   ", undefined],
    ["a".repeat(64), "a".repeat(64)],
    ["a".repeat(65), "a".repeat(64)],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
  ])("%j is spelled %j", (text, spelt) => {
    expect(spellLabel(text)).toBe(spelt);
  });
});

describe("limits", () => {
  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["a😀b", 2, "a😀"],
    ["😀😀", 1, "😀"],
    ["", 3, ""],
  ])("%j cut to %i code points is %j", (text, count, cut) => {
    expect(cutCodePoints(text, count)).toBe(cut);
  });

  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["aé", 2, "a"],
    ["aé", 3, "aé"],
    ["😀", 3, ""],
    ["😀", 4, "😀"],
  ])("%j cut to %i bytes is %j", (text, bytes, cut) => {
    expect(cutBytes(text, bytes)).toBe(cut);
  });

  test("replace half surrogate pairs and NUL, and keep whole pairs", () => {
    expect(storableText("a\0b\ud800c\udc00d😀")).toBe("a\uFFFDb\uFFFDc\uFFFDd😀");
  });
});
