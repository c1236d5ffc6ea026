import { expect, test } from "vitest";
import { nearMisses } from "../../src/screen/board/near-misses.ts";
import { emptyActs, emptyOf } from "../../src/screen/empty.ts";
import { textsOf } from "../../src/screen/empty-text.ts";
import type { State } from "../../src/screen/state.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const commandsOf = (state: State): readonly string[] =>
  emptyActs(state).flatMap((act) => ("command" in act ? act.command : []));

test.each([
  ["a board", [], ["new"]],
  ["a board with a filter", ["s"], ["clear-filter", "new"]],
  ["an inbox", ["2"], ["inbox-all", "board"]],
  ["an inbox of all addresses", ["2", "A"], ["board"]],
  ["cron of a project", ["4"], []],
  ["projects", ["5"], ["project-new"]],
  ["the fleet", ["6"], ["board"]],
  ["the fleet with a filter", ["6", "v"], ["fleet-clear"]],
])("%s without rows offers fitting actions", (_, keys, commands) => {
  const { state } = screen(80, 24, []).keys(...keys);
  expect(commandsOf(state)).toEqual(commands);
});

test("the cron screen of all projects offers to choose a project", () => {
  const { state } = screen(80, 24, []).keys("5", "g", "enter", "4");
  expect(state.scope.project).toBeUndefined();
  expect(commandsOf(state)).toEqual(["projects"]);
});

function filtered(query: string, issues = ISSUES): Session {
  const session = screen(80, 24, issues);
  session.tell({ type: "chosen", place: { is: "query", query }, spot: "query" });
  return session;
}

const ISSUES = [
  issue(1, { owner: "ana", labels: ["api"] }),
  issue(2, { owner: "ana", labels: ["api"] }),
  issue(3, { owner: "bo", labels: ["ui"], title: "Slow start" }),
  issue(4, { owner: "bo", labels: ["ui"], status: "closed", priority: 1 }),
];

test.each<[string, readonly (readonly [number, string, string])[]]>([
  [
    "status:open owner:bo label:api",
    [
      [2, "without owner:bo", "status:open label:api"],
      [1, "without label:api", "status:open owner:bo"],
    ],
  ],
  [
    "status:open owner:bo p:1",
    [
      [1, "with status:all", "status:all owner:bo p:1"],
      [1, "without p:1", "status:open owner:bo"],
    ],
  ],
  ["status:open nothing-has-this", []],
  [
    "status:closed slow",
    [
      [1, "with status:all", "status:all slow"],
      [1, "without slow", "status:closed"],
    ],
  ],
  ["owner:bo label:api slow", [[1, "without label:api", "owner:bo slow"]]],
  ["status:open owner:cy label:none-has-it", []],
])("if the filter %s matches nothing, matches without each part are counted", (query, wanted) => {
  const { state } = filtered(query);
  const misses = nearMisses(state).map(({ count, differs, query: wider }) => [
    count,
    differs,
    wider,
  ]);
  expect(misses.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    wanted.toSorted((a, b) => (a < b ? -1 : 1)),
  );
  const acts = emptyActs(state).flatMap((act) => ("query" in act ? [[act.label, act.query]] : []));
  expect(acts).toEqual(
    nearMisses(state).map((miss) => [`Show ${miss.count} ${miss.differs}`, miss.query]),
  );
});

test("the terminal says in words which filters would match some issues", () => {
  const empty = emptyOf(filtered("status:open owner:bo label:api").state);
  expect(empty === undefined ? [] : textsOf(empty)).toContain("without owner:bo there would be 2");
});

test("the lanes by state do not offer another state if a filter matches nothing", () => {
  const session = filtered("status:open owner:bo p:3");
  session.tell({ type: "chosen", place: { is: "view", view: "states" }, spot: "v" });
  expect(nearMisses(session.state).map(({ differs }) => differs)).toEqual(["without p:3"]);
});
