import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { graphemes } from "../../src/base/graphemes.ts";
import { clean, fit, fitName, fitRight, head, wrap } from "../../tui/text.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 60 }).map(clean);

test("a fitted text has exactly the given width, whatever it contains", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, width) => {
      expect(stringWidth(fit(text, width))).toBe(width);
      expect(stringWidth(fitRight(text, width))).toBe(width);
      expect(stringWidth(head(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

/** Returns all characters except blanks, since none of the many kinds of blanks is kept at the end of a line. */
const letters = (text: string): string => text.replaceAll(/\s/g, "");

function expectWrapped(text: string, width: number): void {
  const lines = wrap(text, width);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThanOrEqual(width);
    // No line begins with a combining mark that belongs to the line before.
    expect(line).toBe(clean(line));
  }
  expect(letters(lines.join(""))).toBe(letters(text));
}

test("wrapped lines fit, and contain every word", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 4, max: 80 }), expectWrapped));
});

test.each([
  ["     \u2002", 4, [""]],
  ["\u2E80\u2E80\u2002", 4, ["\u2E80\u2E80"]],
  ["\u2E80  \u00A0", 4, ["\u2E80"]],
  // A line is not broken at a blank that carries a mark.
  ["ab cd \u0301ef", 6, ["ab", "cd \u0301ef"]],
  ["abcd\u0D4E efgh", 5, ["abcd\u0D4E", "efgh"]],
  // No line is left empty before a word that is too long for a line.
  ["   abcdefgh", 8, ["   abcde", "fgh"]],
])("the text %j in %i cells is wrapped to the lines %j", (text, width, expected) => {
  expect(wrap(text, width)).toEqual(expected);
  expectWrapped(text, width);
});

test("a text is split into characters as Unicode defines them, by the fast path too", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const edges = [0x09, 0x0a, 0x20, 0x7e, 0xad, 0xe4, 0x2ff, 0x300, 0x36f, 0x370, 0x482, 0x483];
  const more = [
    0x489, 0x48a, 0x52f, 0x530, 0x200d, 0x200f, 0x2010, 0x2027, 0x2028, 0x1f469, 0xfe0f,
  ];
  const one = fc.oneof(
    fc.constantFrom(...edges, ...more),
    fc.integer({ min: 0x0a, max: 0x530 }),
    fc.integer({ min: 0x2000, max: 0x2030 }),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (codes) => {
      const text = String.fromCodePoint(...codes);
      const parts = [...segmenter.segment(text)].map(({ segment }) => segment);
      expect(graphemes(text)).toEqual(parts);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd~"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本~"],
  ["日本語", 4, "日~ "],
  ["", 3, "   "],
])("the text %j fitted to %i cells is %j", (text, width, expected) => {
  expect(fit(text, width)).toBe(expected);
});

test.each([
  // A path keeps its end.
  ["beads/crew/ana", 14, "beads/crew/ana"],
  ["beads/crew/ana", 13, "~ads/crew/ana"],
  ["beads/crew/ana", 9, "~crew/ana"],
  ["beads/crew/ana", 1, "~"],
  ["beads/crew/ana", 0, ""],
  ["ana", 6, "ana   "],
  ["チーム/開発者", 13, "チーム/開発者"],
  ["チーム/開発者", 12, "~ーム/開発者"],
  ["チーム/開発者", 8, "~/開発者"],
  ["チーム/開発者", 7, "~開発者"],
  ["チーム/開発者", 6, "~発者 "],
  ["bots/👩💻/k8", 9, "~/👩💻/k8"],
  ["bots/👩💻/k8", 8, "~👩💻/k8"],
  ["bots/👩💻/k8", 7, "~💻/k8 "],
  ["team/e\u0323\u0302la", 5, "~/ệla"],
  // A mail address keeps its beginning.
  ["ana.maria@example.com", 21, "ana.maria@example.com"],
  ["ana.maria@example.com", 10, "ana.maria~"],
  // Any other name keeps both ends.
  ["claude-session-17", 17, "claude-session-17"],
  ["claude-session-17", 16, "claude-s~sion-17"],
  ["claude-session-17", 6, "cla~17"],
  ["claude-session-17", 2, "c~"],
  ["日本語の名前", 12, "日本語の名前"],
  ["日本語の名前", 11, "日本~の名前"],
  ["日本語の名前", 6, "日~前 "],
])("the name %j fitted to %i cells is %j", (name, width, expected) => {
  expect(fitName(clean(name), width)).toBe(expected);
  expect(stringWidth(expected)).toBe(width);
});

test("a fitted name has exactly the given width, whatever it contains", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom("", "/", "@"),
      anyText,
      fc.integer({ min: 1, max: 30 }),
      (one, between, other, width) => {
        const fitted = fitName(clean(`${one}${between}${other}`), width);
        expect(stringWidth(fitted)).toBe(width);
        expect(clean(fitted)).toBe(fitted);
      },
    ),
  );
});

test("control characters and direction marks are not drawn", () => {
  expect(clean("a\u001B[31mb\u0007c\u202Ed\ne")).toBe("a [31mb c d e");
});
