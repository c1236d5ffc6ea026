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
  const long = "status:open owner:somebody label:federation -label:wip crash report p<=1";
  expect(line(80, long)).toContain(
    "/ status:open owner:somebody label:federation -label:wip crash +2",
  );
});

test.each([
  [
    79,
    "status:open",
    " open 6  ready 3  blocked 1  waiting 2  closed 1   / status:open  sort:updated ",
  ],
  [
    78,
    "status:open",
    " open 6  ready 3  blocked 1  closed 1   / status:open            sort:updated ",
  ],
  [
    80,
    "status:open owner:bo label:daemon",
    " open 6  ready 3  blocked 1   / status:open owner:bo label:daemon  sort:updated ",
  ],
  [
    80,
    "status:open owner:bo label:daemon p<=1 x",
    " open 6  ready 3   / status:open owner:bo label:daemon p<=1 x      sort:updated ",
  ],
  // What is asked for is counted in any width.
  [60, "status:waiting", " open 6  waiting 2   / status:waiting          sort:updated "],
  [40, "status:closed", " open 6  closed 1   / status:closed     "],
  [40, "status:open", " open 6   / status:open    sort:updated "],
  [40, "status:open owner:bo", " open 6   / status:open owner:bo        "],
])(
  "at %i columns %j leaves the counts and the order the room it does not need",
  (columns, query, expected) => {
    expect(line(columns, query)).toBe(expected.padEnd(columns));
  },
);

test.each([
  [80, [], "sort:updated"],
  [160, [], "sort:updated  nested"],
  [80, ["v"], "sort:updated  flat"],
  [160, ["v", "o"], "sort:created  flat"],
  [80, ["v", "v"], "sort:updated  by state"],
  [160, ["v", "v", "v"], "sort:updated  by owner"],
])("at %i columns, after %j, the order is named as one: %s", (columns, keys, expected) => {
  const { state } = screen(columns, 50).keys(...keys);
  const text = stripVTControlCharacters(statusLine(state, painter("none"), columns));
  expect(text.trimEnd().endsWith(`  ${expected}`)).toBe(true);
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
