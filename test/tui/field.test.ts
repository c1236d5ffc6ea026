import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphemes } from "../../src/base/graphemes.ts";
import { editField, type Field, fieldOf } from "../../src/screen/field.ts";
import { rowsOf, vertical } from "../../tui/area.ts";
import { cells, clean } from "../../tui/text.ts";
import { text } from "./picture.ts";
import { issue, screen } from "./support.ts";

const edited = (field: Field, key: string, width = Infinity) =>
  editField(field, key, (value, by) => vertical(value, by, width));

const lines = (of: string, width: number): readonly string[] => {
  const all = graphemes(of);
  return rowsOf(all, width).map(({ start, end }) => all.slice(start, end).join(""));
};

describe("a text that is wrapped while it is typed", () => {
  test.each([
    ["", 10, [""]],
    ["12345678", 10, ["12345678"]],
    ["123456789", 10, ["12345678", "9"]],
    ["one two three", 10, ["one two ", "three"]],
    ["one two\n\nthree", 10, ["one two", "", "three"]],
    ["日本語日本", 8, ["日本語", "日本"]],
    ["aaa bbbbbbbbbbbb", 8, ["aaa ", "bbbbbb", "bbbbbb"]],
    ["ab", 1, ["a", "b"]],
  ])("shows %j in %i cells as the lines %j", (of, width, expected) => {
    expect(lines(of, width)).toEqual(expected);
  });

  test("loses no character and has no line that is too wide, whatever is typed", () => {
    const typed = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "日", "👩‍💻", "é"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(typed, fc.integer({ min: 6, max: 30 }), (of, width) => {
        const all = graphemes(of);
        const rows = rowsOf(all, width);
        const kept = rows.map(({ start, end }) => all.slice(start, end).join(""));
        expect(kept.join("")).toBe(of.replaceAll("\n", ""));
        for (const line of kept) expect(cells(clean(line))).toBeLessThanOrEqual(width - 2);
        for (const [at, { start }] of rows.entries())
          expect(start - (rows[at - 1]?.end ?? start)).toBe(
            at > 0 && all[start - 1] === "\n" && rows[at - 1]?.end === start - 1 ? 1 : 0,
          );
      }),
    );
  });

  test.each([
    ["up", 11, 3],
    ["up", 3, 0],
    ["down", 3, 11],
    ["down", 7, 13],
    ["down", 11, 13],
    ["up", 13, 5],
  ])("moves the cursor by visible lines: the key %s moves it from %i to %i", (key, at, to) => {
    // The text is wrapped to "one two " and "three".
    expect(edited({ text: "one two three", at }, key, 10)).toMatchObject({ at: to });
  });

  test("lets the cursor reach its end with down and its beginning with up", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "\n"), maxLength: 40 }), (of) => {
        let field = { text: of, at: 0 };
        const { length } = rowsOf(graphemes(of), 8);
        for (let row = 0; row < length; row++) field = edited(field, "down", 8) ?? field;
        expect(field.at).toBe(of.length);
        for (let row = 0; row < length; row++) field = edited(field, "up", 8) ?? field;
        expect(field.at).toBe(0);
      }),
    );
  });

  test("moves the cursor by the text's own lines if nothing is wrapped", () => {
    const field = edited(fieldOf("long first\nab"), "up");
    expect(field).toMatchObject({ at: 2 });
  });

  test("is visible whole in a form", () => {
    const session = screen(40, 24, [issue(1)]).keys("X", "tab");
    session.type("the page is replaced in the next release");
    expect(text(session)).toMatch(/Message: +the page is replaced in the\n +next release\n/);
  });
});
