import { expect, test } from "vitest";
import { isShown, isViewShown, viewsOf } from "../../src/screen/board/views.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { withIssues } from "../../src/screen/issues/issues.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import { issue, type Session, screen } from "../tui/support.ts";

/** A day in this zone begins at 23:00 UTC in winter. */
const preferences = { zone: "Europe/Berlin" };

const dated = (number: number, metadata: Issue["metadata"], more: Partial<Issue> = {}): Issue =>
  issue(number, { metadata, ...more });

const ISSUES = [
  dated(1, { scheduled_on: "2026-11-20" }),
  dated(2, { deadline_on: "2026-11-21" }),
  dated(3, { scheduled_on: "2026-11-22" }),
  dated(4, { scheduled_on: "2026-11-23", deadline_on: "2026-11-20" }),
  dated(5, { deadline_on: "2026-12-24" }),
  // 23:30 on the 21st in Berlin, and 00:30 on the 22nd.
  dated(6, { scheduled_on: "2026-11-21T22:30:00Z" }),
  dated(7, { scheduled_on: "2026-11-21T23:30:00Z" }),
  // Honolulu is 11 hours behind Berlin: its day begins at 11:00 here.
  dated(8, { scheduled_on: "2026-11-22", timezone: "Pacific/Honolulu" }),
  dated(9, { scheduled_on: "someday" }),
  dated(10, { scheduled_on: "2026-11-20" }, { status: "closed" }),
  dated(11, {}),
];

function found(now: string, query: string): readonly number[] {
  const { memo } = screen(80, 24).state;
  const issues = withIssues(screen(80, 24, []).state.issues, ISSUES);
  const numbers = [...relationsOf({ memo, issues, now, preferences }).found(query)].map(({ uid }) =>
    Number(uid.slice(3)),
  );
  return numbers.toSorted((a, b) => a - b);
}

const BEFORE = "2026-11-21T22:59:00.000Z";
const AFTER = "2026-11-21T23:00:00.000Z";

test.each([
  [BEFORE, "status:open date:today", [1, 2, 4, 6]],
  [AFTER, "status:open date:today", [1, 2, 3, 4, 6, 7, 8]],
  [BEFORE, "status:open date:upcoming", [3, 4, 7, 8]],
  [AFTER, "status:open date:upcoming", [4]],
  [BEFORE, "status:open date:deadlines", [2, 4, 5]],
  [BEFORE, "status:closed date:today", [10]],
  [BEFORE, "status:all", ISSUES.map((_one, at) => at + 1)],
])("at %s the filter %j finds the issues %j", (now, query, numbers) => {
  expect(found(now, query)).toEqual(numbers);
});

test("an open board shows the next day from midnight on", () => {
  const { memo } = screen(80, 24).state;
  const { issues } = screen(80, 24, ISSUES).state;
  const count = (now: string, view: string) =>
    relationsOf({ memo, issues, now, preferences }).countOf(`status:open date:${view}`);
  expect([count(BEFORE, "today"), count(BEFORE, "upcoming")]).toEqual([4, 4]);
  expect([count(AFTER, "today"), count(AFTER, "upcoming")]).toEqual([7, 1]);
});

const names = ({ state }: Session) => viewsOf(state).map(({ name }) => name);

function withProjects(session: Session, inbox: number | undefined): Session {
  const project = (id: number, name: string) => ({
    ...{ id, uid: `01JPROJECT000000000000000${id}`, name, open: id, closed: 0, last: undefined },
    isInbox: id === inbox,
  });
  session.tell({ type: "projects", projects: [project(1, "product"), project(2, "my errands")] });
  return session;
}

test("the view Capture is offered only if a project has the role inbox, and leads to that project from any board", () => {
  const session = withProjects(screen(160, 50), undefined);
  expect(names(session)).not.toContain("Capture");
  session.keys(":").type("capture").keys("enter");
  expect(session.state.messages.notice?.text).toContain("--set role=inbox");
  expect(session.state.board.query).toBe("status:open");
  withProjects(session, 2).keys(":").type("capture").keys("enter");
  expect(session.state.board.query).toBe('status:open project:"my errands"');
  expect(session.state.scope.project).toBeUndefined();
  expect(session.effects).toContainEqual(
    expect.objectContaining({ effect: "load-issues", project_id: undefined }),
  );
});

test.each([
  ["today", "status:open date:today"],
  ["upcoming", "status:open date:upcoming"],
  ["deadlines", "status:open date:deadlines"],
  ["logbook", "status:closed"],
  ["all open", "status:open"],
  ["view closed", "status:closed"],
  ["view open", "status:open"],
])("the name %s in the palette shows its view from another screen", (text, query) => {
  const session = screen(80, 24).keys("2", ":").type(text).keys("enter");
  expect([session.state.screen, session.state.board.query]).toEqual(["board", query]);
  expect(isViewShown(session.state)).toBe(true);
});

test("a person's view replaces the built-in one of the same name", () => {
  const session = screen(80, 24);
  const views = [{ name: "today", query: "label:now" }];
  session.state = { ...session.state, board: { ...session.state.board, views } };
  const named = viewsOf(session.state).filter(({ name }) => name.toLowerCase() === "today");
  expect(named).toEqual([{ name: "today", query: "label:now", isOwn: true }]);
  session.keys(":").type("today").keys("enter");
  expect(named.map((view) => isShown(session.state, view))).toEqual([true]);
});
