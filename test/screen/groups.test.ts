import { expect, test } from "vitest";
import { boardRows, cursorIndex, lineOf, topLine } from "../../src/screen/board/board.ts";
import { type BoardLine, groupsOf, isHeading } from "../../src/screen/board/groups.ts";
import { GROUPED_VIEWS, type View } from "../../src/screen/board/state.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import { shownLines } from "../../tui/screens/board-lines.ts";
import { placeAt } from "../../tui/screens/places.ts";
import { HOME, issue, NOW, type Session, screen } from "../tui/support.ts";

const ISSUES: readonly Issue[] = [
  issue(1, { owner: "bo", priority: 2 }),
  issue(2, { owner: "ana", priority: 0, blocked: true, blocked_by: ["elsewhere"] }),
  issue(3, { priority: 2, metadata: { someday: true }, project_name: "infra" }),
  issue(4, { owner: "ana", status: "closed", closed_at: NOW }),
  issue(5, { owner: "bo", project_name: "infra" }),
];

function grouped(view: View, issues = ISSUES, rows = 24): Session {
  const session = screen(100, rows, issues);
  session.tell({ type: "chosen", place: { is: "view", view }, spot: "view" });
  return session;
}

const said = (line: BoardLine): string =>
  isHeading(line) ? `${line.isFolded ? "+" : "-"} ${line.name} ${line.count}` : line.issue.short_id;

const lines = ({ state }: Session): readonly string[] => groupsOf(state).lines.map(said);

test.each<[View, readonly string[]]>([
  ["by-state", ["- Blocked 1", "k002", "- Ready 2", "k005", "k001", "- Waiting 1", "k003"]],
  ["by-owner", ["- ana 1", "k002", "- bo 2", "k005", "k001", "-  1", "k003"]],
  ["by-priority", ["- P0 1", "k002", "- P2 2", "k003", "k001", "-  1", "k005"]],
  ["by-project", ["- infra 2", "k005", "k003", "- product 2", "k002", "k001"]],
])("the view %s shows the issues under headings, in the order of the list", (view, wanted) => {
  expect(lines(grouped(view))).toEqual(wanted);
});

test("only the groups of issues that match the filter are shown", () => {
  const session = grouped("by-state");
  session.keys("c", "s", "s", "s", "s");
  expect(session.state.board.query).toBe("status:closed");
  expect(lines(session)).toEqual(["- Closed 1", "k004"]);
});

test("the key z steps through the groupings and back to the flat list", () => {
  const session = screen(100, 24, ISSUES);
  const views = [1, 2, 3, 4, 5].map(() => session.keys("z").state.board.view);
  expect(views).toEqual([...GROUPED_VIEWS, "flat"]);
  expect(session.keys("z", "v").state.board.view).toBe("nested");
});

test("the palette command group takes the name of a grouping", () => {
  const session = screen(100, 24, ISSUES).keys(":").type("group owner").keys("enter");
  expect(session.state.board.view).toBe("by-owner");
  expect(session.keys(":").type("group none").keys("enter").state.board.view).toBe("flat");
});

test("the cursor, marks and ranges skip the headings", () => {
  const session = grouped("by-owner");
  const seen = ["g", "j", "j", "j"].map((key) => session.keys(key).cursor);
  expect(seen).toEqual(["k002", "k005", "k001", "k003"]);
  session.keys("g", "space", "G", "V");
  expect(session.state.marks.size).toBe(4);
});

test("a click on its heading or the key left folds a group, and right unfolds the nearest folded group", () => {
  const session = grouped("by-owner").keys("g", "j");
  expect(session.cursor).toBe("k005");
  session.keys("left");
  expect(lines(session)).toEqual(["- ana 1", "k002", "+ bo 2", "-  1", "k003"]);
  expect(session.cursor).toBe("k003");
  session.keys("right");
  expect(lines(session)).toEqual(["- ana 1", "k002", "- bo 2", "k005", "k001", "-  1", "k003"]);
  expect(session.cursor).toBe("k003");
  session.tell({ type: "chosen", place: { is: "group", name: "ana" }, spot: "a" });
  expect(lines(session)[0]).toBe("+ ana 1");
});

test("E folds and unfolds all groups of a view, and the folded groups of another view stay folded", () => {
  const session = grouped("by-owner").keys("g", "left", "z", "E");
  expect(lines(session)).toEqual(["+ P0 1", "+ P2 2", "+  1"]);
  expect(session.state.board.cursor).toBeUndefined();
  session.keys("E");
  expect(lines(session)[0]).toBe("- P0 1");
  expect(session.cursor).toBe("k002");
  session.tell({ type: "chosen", place: { is: "view", view: "by-owner" }, spot: "v" });
  expect(lines(session)[0]).toBe("+ ana 1");
});

test("on the terminal a click on a heading folds its group, and a click on a row below it selects the row", () => {
  const session = grouped("by-owner");
  expect(placeAt(session.state, 10, 3)).toEqual({ is: "group", name: "ana" });
  expect(placeAt(session.state, 10, 6)).toEqual({ is: "row", at: 1 });
  session.tell({ type: "chosen", place: placeAt(session.state, 10, 3), spot: "10 3" });
  expect(lines(session)[0]).toBe("+ ana 1");
  expect(placeAt(session.state, 10, 20)).toBeUndefined();
});

test("on the terminal the heading of the topmost visible row stays on the first line", () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    issue(at + 1, { owner: at < 30 ? "ana" : "bo" }),
  );
  const session = grouped("by-owner", many, 16).keys("g", "pgdn", "pgdn");
  expect(said(shownLines(session.state, 8)[0] ?? missing())).toBe("- ana 30");
  expect(said(shownLines(session.keys("G").state, 8)[0] ?? missing())).toBe("- bo 10");
});

function missing(): never {
  throw new Error("the list is empty");
}

test("an issue that somebody changes moves to its new group, and the cursor stays on it", () => {
  const session = grouped("by-owner").keys("G");
  expect(session.cursor).toBe("k003");
  session.changed([{ ...issue(3), owner: "cy", revision: 2 }]);
  expect(lines(session).slice(-2)).toEqual(["- cy 1", "k003"]);
  expect(session.cursor).toBe("k003");
});

test("the address of the board contains the grouping", () => {
  const session = grouped("by-project");
  expect(placeOf(session.state).view).toBe("by-project");
  const { project } = placeOf(session.state);
  session.tell({ type: "went", place: { ...HOME, project, view: "by-state" } });
  expect(session.state.board.view).toBe("by-state");
});

test.each([7, 9, 24])("the cursor is visible below a heading in a window of %i lines", (rows) => {
  const many = Array.from({ length: 40 }, (_, at) =>
    issue(at + 1, { owner: ["ana", "bo", "cy"][at % 3] }),
  );
  const session = grouped("by-owner", many, rows + 4);
  const height = session.state.fit.board(session.state)?.rows ?? 0;
  expect(height).toBeGreaterThan(1);
  const times = (key: string, count: number) => Array.from({ length: count }, () => key);
  const keys = ["G", "k", "pgup", "g", "j", "pgdn", ...times("j", 12), ...times("k", 18)];
  for (const key of keys) {
    const { state } = session.keys(key);
    const line = lineOf(state, cursorIndex(state)) - topLine(state);
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThan(height);
  }
  expect(boardRows(session.state)).toHaveLength(40);
});
