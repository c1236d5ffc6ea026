import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cellsRow } from "../../tui/screens/rows.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";

const cell = fc.record({
  text: fc.constantFrom("", "cron-next-tab", "日本語", "a👩b"),
  width: fc.integer({ min: 0, max: 30 }),
  right: fc.boolean(),
  joined: fc.boolean(),
});

test("a row of cells has exactly the given width, whatever room its cells want", () => {
  fc.assert(
    fc.property(fc.nat({ max: 80 }), fc.array(cell, { maxLength: 6 }), (width, columns) => {
      const row = cellsRow(painter("dark"), width, columns);
      expect(cells(stripVTControlCharacters(row))).toBe(width);
    }),
  );
});
