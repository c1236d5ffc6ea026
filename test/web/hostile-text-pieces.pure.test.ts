import fc from "fast-check";
import { expect, test } from "vitest";
import { piecesOf } from "../../web/markdown/pieces.ts";

test.each<readonly [string, string, readonly number[]]>([
  ["no text", "", [0]],
  ["as long as a piece", "a".repeat(4000), [4000]],
  ["longer by one", "a".repeat(4001), [4000, 1]],
  ["a line that ends with the piece", `${"a".repeat(4000)}\nb`, [4000, 1]],
  ["a line that ends before", `${"a".repeat(10)}\n${"b".repeat(4000)}`, [10, 4000]],
  ["empty lines", "\n".repeat(4002), [4000, 1]],
  ["an emoji at the end of a piece", `${"a".repeat(3999)}😀`, [3999, 2]],
])("a text is cut into pieces: %s", (_what, text, lengths) => {
  expect(piecesOf(text).map(({ length }) => length)).toEqual(lengths);
});

test("pieces are short, and contain every character of the text but the line ends between pieces", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 6000 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join("\n");
      const pieces = piecesOf(text);
      for (const { length } of pieces) expect(length).toBeLessThanOrEqual(4000);
      expect(pieces.join("").replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
    }),
    { numRuns: 50 },
  );
});
