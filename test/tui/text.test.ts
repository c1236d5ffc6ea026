import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { clean, fit, fitName, fitRight, head, wrap } from "../../tui/text.ts";

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

/** All but blanks, of which there are many kinds: at the end of a line none of them is kept. */
const letters = (text: string): string => text.replaceAll(/\s/g, "");

function expectWrapped(text: string, width: number): void {
  const lines = wrap(text, width);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThanOrEqual(width);
    // No line begins with a mark whose letter stands on another.
    expect(line).toBe(clean(line));
  }
  expect(letters(lines.join(""))).toBe(letters(text));
}

test("wrapped lines fit, and hold every word", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 4, max: 80 }), expectWrapped));
});

test.each([
  ["     \u2002", 4, [""]],
  ["\u2E80\u2E80\u2002", 4, ["\u2E80\u2E80"]],
  ["\u2E80  \u00A0", 4, ["\u2E80"]],
  // A blank that carries a mark is no place to break at.
  ["ab cd \u0301ef", 6, ["ab", "cd \u0301ef"]],
  ["abcd\u0D4E efgh", 5, ["abcd\u0D4E", "efgh"]],
  // No line is left empty before a word that is too long for one.
  ["   abcdefgh", 8, ["   abcde", "fgh"]],
])("%j in %i cells is wrapped to %j", (text, width, expected) => {
  expect(wrap(text, width)).toEqual(expected);
  expectWrapped(text, width);
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

test.each([
  // Of a path the end tells most.
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
  // Of an address of mail its beginning.
  ["ana.maria@example.com", 21, "ana.maria@example.com"],
  ["ana.maria@example.com", 10, "ana.maria~"],
  // Of another name both ends.
  ["claude-session-17", 17, "claude-session-17"],
  ["claude-session-17", 16, "claude-s~sion-17"],
  ["claude-session-17", 6, "cla~17"],
  ["claude-session-17", 2, "c~"],
  ["日本語の名前", 12, "日本語の名前"],
  ["日本語の名前", 11, "日本~の名前"],
  ["日本語の名前", 6, "日~前 "],
])("the name %j in %i cells is %j", (name, width, expected) => {
  expect(fitName(clean(name), width)).toBe(expected);
  expect(stringWidth(expected)).toBe(width);
});

test("a name has exactly its width, whatever is in it", () => {
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

test("control characters and turns of direction are not drawn", () => {
  expect(clean("a\u001B[31mb\u0007c\u202Ed\ne")).toBe("a [31mb c d e");
});
