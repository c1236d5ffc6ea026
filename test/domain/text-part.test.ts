import fc from "fast-check";
import { expect, test } from "vitest";
import { textSearch } from "../../src/domain/text-part.ts";

test.each([
  // The part that databases look for, and whether it is all that there is to look for.
  ["", "", true],
  ["Login", "login", true],
  ["a_b%", "a_b%", true],
  ["日本", "日本", true],
  ["Straße", "stra", false],
  ["Äpfel", "pfel", false],
  ["ÄÖÜ", "", false],
  ["é1é22é", "22", false],
])(
  "for the search text %j the database looks for %j, which is all of it: %s",
  (text, stable, isWhole) => {
    expect(textSearch(text)).toMatchObject({ stable, isWhole });
  },
);

test.each([
  ["straSSE", "Bergstrasse 1", true],
  ["STRASSE", "Bergstraße 1", false],
  ["ÄPFEL", "viele äpfel", true],
  ["äpfel", "viele ÄPFEL", true],
  ["x", "", false],
  ["", "", true],
])("the search text %j occurs in the text %j: %s", (text, other, is) => {
  expect(textSearch(text).isIn(other)).toBe(is);
});

test("the part that the database looks for occurs in every text in which the whole search text occurs", () => {
  const letters = fc.string({
    unit: fc.constantFrom(...["a", "B", "ä", "Ä", "ß", "é", "日", "1"]),
  });
  const lowerAscii = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  fc.assert(
    fc.property(letters, letters, letters, (before, text, after) => {
      const { stable, isWhole, isIn } = textSearch(text);
      for (const other of [before + text + after, before + text.toUpperCase() + after, before]) {
        const found = lowerAscii(other).includes(stable);
        if (isIn(other)) expect(found).toBe(true);
        if (isWhole) expect(isIn(other)).toBe(found);
      }
    }),
  );
});
