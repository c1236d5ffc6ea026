import { expect, test } from "vitest";
import { emptyActs } from "../../src/screen/board/empty-acts.ts";
import { screen } from "../tui/support.ts";

test.each([
  ["a board", [], ["new"]],
  ["a board with a filter", ["s"], ["new", "clear-filter"]],
  ["an inbox", ["2"], ["inbox-all", "board"]],
  ["an inbox of all addresses", ["2", "A"], ["board"]],
  ["cron of a project", ["4"], []],
  ["projects", ["5"], ["project-new"]],
  ["the fleet", ["6"], ["board"]],
  ["the fleet with a filter", ["6", "v"], ["fleet-clear"]],
])("%s without rows offers what fits it", (_, keys, commands) => {
  const { state } = screen(80, 24, []).keys(...keys);
  expect(emptyActs(state).map(({ command }) => command)).toEqual(commands);
});

test("cron of all projects offers to choose one", () => {
  const { state } = screen(80, 24, []).keys("5", "g", "enter", "4");
  expect(state.projects.scope.project).toBeUndefined();
  expect(emptyActs(state).map(({ command }) => command)).toEqual(["projects"]);
});
