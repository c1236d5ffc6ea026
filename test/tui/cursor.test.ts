import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { graphemes } from "../../src/base/graphemes.ts";
import { placeOfCursor, typesText } from "../../tui/screens/cursor.ts";
import { frame } from "../../tui/screens/frame.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { screen } from "./support.ts";

/** Returns the line from the terminal's cursor on, and whether the cursor is visible. */
function under(columns: number, keys: readonly string[]) {
  const { state } = screen(columns, 24).keys(...keys);
  const lines = frame(state, painter("dark"));
  const { x, y } = placeOfCursor(state, lines);
  const line = stripVTControlCharacters(lines[y] ?? "");
  let before = "";
  for (const grapheme of graphemes(line)) {
    if (cells(before) >= x) break;
    before += grapheme;
  }
  return { text: line.slice(before.length).trimEnd(), isSeen: typesText(state) };
}

test.each([
  ["the row in focus", 80, ["j"], /^> k/, false],
  ["the row in focus beside other panes", 160, ["j"], /^> k/, false],
  ["the row of another screen", 80, ["5"], /^> product/, false],
  ["the place in a text", 80, ["/", "a", "b", "left"], /^b$/, true],
  ["behind wide characters", 80, ["/", "日", "x", "left"], /^x$/, true],
  ["the field of a form", 80, ["n", "t", "i", "left"], /^i$/, true],
  ["a choice of a form", 80, ["X"], /^Reason:/, false],
  ["what is looked for in help", 80, ["?", "q", "left"], /^q$/, true],
  ["a line of a list", 80, ["x", "@"], /svc close/, false],
  ["a question", 80, ["!"], /^priority of product#k007: 0/, false],
  ["a question that is answered by y or n", 80, ["q"], /^quit\?/, false],
  ["the first line of an open issue", 80, ["enter"], /^ product#/, false],
] as const)("the place of the terminal's cursor: %s", (_what, columns, keys, text, isSeen) => {
  const found = under(columns, keys);
  expect(found.text).toMatch(text);
  expect(found.isSeen).toBe(isSeen);
});

test("a screen that is too small has a cursor too", () => {
  const { state } = screen(20, 2);
  expect(placeOfCursor(state, frame(state, painter("dark")))).toEqual({ x: 0, y: 1 });
});
