import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { clean, fit, fitRight, graphemes, head, wrap } from "../../tui/text.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 60 }).map(clean);

test("a fitted text has exactly its width, whatever is in it", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, width) => {
      expect(stringWidth(fit(text, width))).toBe(width);
      expect(stringWidth(fitRight(text, width))).toBe(width);
      expect(stringWidth(head(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test("wrapped lines fit, and hold every word", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 4, max: 80 }), (text, width) => {
      const lines = wrap(text, width);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      const letters = (whole: string): string =>
        graphemes(whole)
          .filter((one) => one !== " ")
          .join("");
      expect(letters(lines.join(""))).toBe(letters(text));
    }),
  );
});

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd~"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本~"],
  ["日本語", 4, "日~ "],
  ["", 3, "   "],
])("%j in %i cells is %j", (text, width, expected) => {
  expect(fit(text, width)).toBe(expected);
});

test("control characters and turns of direction are not drawn", () => {
  expect(clean("a\u001B[31mb\u0007c\u202Ed\ne")).toBe("a [31mb c d e");
});
