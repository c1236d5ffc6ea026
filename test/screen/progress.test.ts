import { expect, test } from "vitest";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { partsOf } from "../../src/screen/issues/parts.ts";
import { projectParts, standingOfChild } from "../../src/screen/issues/progress.ts";
import { issue, screen } from "../tui/support.ts";

const blocker = issue(1);
const blocked = issue(2, { blocked_by: [blocker.uid], blocked: true });
const later = issue(3, { metadata: { someday: true } });
const done = issue(4, { status: "closed" });
const all: Issue[] = [blocker, blocked, later, done];

test("parts of a progress bar are in the order done, ready, waiting, blocked, and none is empty", () => {
  expect(partsOf(["blocked", "ready", "closed", "ready"])).toEqual([
    { is: "closed", count: 1 },
    { is: "ready", count: 2 },
    { is: "blocked", count: 1 },
  ]);
  expect(partsOf([])).toEqual([]);
});

test.each([
  ["on the board, ready", blocker, "ready"],
  ["on the board, blocked", blocked, "blocked"],
  ["on the board, parked", later, "waiting"],
  ["on the board, closed", done, "closed"],
  ["elsewhere, open", issue(11), "ready"],
  ["elsewhere, blocked", issue(12, { blocked: true }), "blocked"],
  ["elsewhere, closed", issue(13, { status: "closed", blocked: true }), "closed"],
])("the progress of a parent counts each child by its state: %s", (_, child, is) => {
  expect(standingOfChild(screen(80, 24, all).state, child)).toBe(is);
});

test("progress has four parts for the project of the board, and only open and closed for another project", () => {
  const { state } = screen(80, 24, all);
  const [product, infra] = state.scope.projects;
  if (product === undefined || infra === undefined) throw new Error("there are two projects");
  expect(projectParts(state, product)).toEqual([
    { is: "closed", count: 1 },
    { is: "ready", count: 1 },
    { is: "waiting", count: 1 },
    { is: "blocked", count: 1 },
  ]);
  expect(projectParts(state, infra)).toEqual([{ is: "open", count: 2 }]);
  // All projects: the board has only the issues of one.
  expect(projectParts(state, { open: 8, closed: 1 })).toEqual([
    { is: "closed", count: 1 },
    { is: "open", count: 8 },
  ]);
});

test("while not all issues are on the board, the counts of the daemon are used", () => {
  const session = screen(80, 24, all);
  session.tell({
    ...{ type: "issues", part: "all", serial: 0, issues: all, gone: [] },
    truncated: true,
  });
  const [product] = session.state.scope.projects;
  expect(projectParts(session.state, product ?? { open: 0, closed: 0 })).toEqual([
    { is: "closed", count: 1 },
    { is: "open", count: 6 },
  ]);
});
