import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { NO_ISSUES } from "../../src/screen/issues/issues.ts";
import type { Message } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { statusLine } from "../../tui/screens/status.ts";
import { painter } from "../../tui/style.ts";
import { cells, clean } from "../../tui/text.ts";
import { issue, liveEvent, type Session, screen } from "./support.ts";

const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");

const line = (columns: number, query: string): string => {
  const { state } = screen(columns, 24);
  const text = statusLine({ ...state, board: { ...state.board, query } }, painter("none"), columns);
  return stripVTControlCharacters(text);
};

test("the parts of the filter are shown whole, as many as there is room for", () => {
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
  // A status that the filter asks for is counted at any width.
  [60, "status:waiting", " open 6  waiting 2   / status:waiting          sort:updated "],
  [40, "status:closed", " open 6  closed 1   / status:closed     "],
  [40, "status:open", " open 6   / status:open    sort:updated "],
  [40, "status:open owner:bo", " open 6   / status:open owner:bo        "],
])(
  "at %i columns the filter %j leaves unused room to the counts and the order",
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
])(
  "at %i columns, after the keys %j, order and view are shown as: %s",
  (columns, keys, expected) => {
    const { state } = screen(columns, 50).keys(...keys);
    const text = stripVTControlCharacters(statusLine(state, painter("none"), columns));
    expect(text.trimEnd().endsWith(`  ${expected}`)).toBe(true);
  },
);

test("an unknown state in the filter is reported", () => {
  expect(line(140, "status:opne")).toContain("status:opne (status is one of open, ready");
});

test.each([
  ["a filter that somebody else's name is a part of", "\u001B[2Jbo"],
  ["a text that a terminal may join", "👩‍💻👩‍💻👩‍💻"],
])("%s is drawn without control characters, even if it has to be cut", (_what, query) => {
  const { state } = screen(40, 24);
  const board = { ...state.board, query };
  const shown = { ...state, loading: { ...state.loading, stage: "rest" as const }, board };
  const text = statusLine(shown, painter("none"), 40).replaceAll(COLOURS, "");
  expect(text).toBe(clean(text));
  expect(cells(text)).toBe(40);
});

test("the status line is as wide as the terminal for any filter", () => {
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

const page = (part: "first" | "more" | "all", count: number, truncated = false): Message => ({
  ...({ type: "issues", part, serial: 0, gone: [], truncated } as const),
  issues: Array.from({ length: count }, (_none, at) => issue(at + 1)),
});

const counts = (session: Session): string =>
  (
    stripVTControlCharacters(statusLine(session.state, painter("none"), 120)).split("   / ")[0] ??
    ""
  ).trim();

/** A screen of a project with 4,000 open and 812 closed issues, none of which is loaded yet. */
function large(
  scope: Pick<State["scope"], "project"> = { project: { id: 1, name: "product" } },
): Session {
  const session = screen(120, 24, []);
  session.state = {
    ...session.state,
    issues: NO_ISSUES,
    loading: { ...session.state.loading, stage: "first" },
    scope: { ...session.state.scope, ...scope },
  };
  const more = { last: undefined };
  session.tell({
    type: "projects",
    projects: [
      { ...{ id: 1, uid: "p1", name: "product" }, ...{ open: 4000, closed: 812 }, ...more },
      { ...{ id: 2, uid: "p2", name: "infra" }, ...{ open: 30, closed: 5 }, ...more },
    ],
  });
  return session;
}

test("while not all issues are loaded the counts come from the daemon", () => {
  const session = large();
  expect(counts(session)).toBe("open 4000  closed 812");
  session.tell(page("first", 200));
  expect(counts(session)).toBe("open 4000  closed 812");
  session.tell(page("all", 4812));
  expect(counts(session)).toBe("open 4812  ready 4812  blocked 0  waiting 0  closed 0");
  // Loaded issues are counted also while they are read again.
  session.tell(page("first", 200));
  expect(counts(session)).toContain("ready 4812");
});

test("the counts for all projects are the daemon's total, and stay so if there are too many issues", () => {
  const session = large({ project: undefined });
  expect(counts(session)).toBe("open 4030  closed 817");
  session.tell(page("all", 300, true));
  expect(counts(session)).toBe("open 4030  closed 817");
  const event = liveEvent({ kind: "issue.closed" });
  const reads = session.tell({ type: "events", events: [event] });
  expect(reads).toContainEqual({ effect: "load-projects", wait: 500 });
});

test("without counts from the daemon the loaded issues are counted", () => {
  const session = large();
  session.tell({ type: "projects", projects: [] });
  session.tell(page("first", 200));
  expect(counts(session)).toContain("open 200  ready 200");
});
