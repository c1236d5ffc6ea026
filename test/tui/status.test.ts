import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { statusLine } from "../../tui/screens/status.ts";
import { painter } from "../../tui/style.ts";
import { cells } from "../../tui/text.ts";
import { screen } from "./support.ts";

const line = (columns: number, query: string): string => {
  const { state } = screen(columns, 24);
  const text = statusLine({ ...state, board: { ...state.board, query } }, painter("none"), columns);
  return stripVTControlCharacters(text);
};

test("the parts of the filter stand whole, as many as there is room for", () => {
  expect(line(80, "status:open owner:bo crash")).toContain("/ status:open owner:bo crash ");
  const long = line(80, "status:open owner:somebody label:federation crash");
  expect(long).toContain("/ status:open owner:somebody +2");
});

test("a state that there is not is said", () => {
  expect(line(140, "status:opne")).toContain("status:opne (status is one of open, ready");
});

test("the line is as wide as the terminal whatever is asked for", () => {
  const queries = [
    "",
    "status:open",
    "日本語 ".repeat(20),
    "x".repeat(300),
    "a b c d e f g h i j k",
  ];
  for (const query of queries)
    for (const columns of [40, 41, 60, 80, 100, 160, 250])
      expect([query, columns, cells(line(columns, query))]).toEqual([query, columns, columns]);
});
