import { expect, test } from "vitest";
import type { Effect } from "../../src/screen/effect.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { issue, screen } from "../tui/support.ts";

const parent = issue(1, { child_counts: { open: 1, total: 1 } });
const blocked = issue(2, { blocked: true, blocked_by: [issue(3).uid] });
const middle = issue(3, { parent: parent.uid, blocks: [blocked.uid] });
const apart = issue(4);

function told(issues: readonly Issue[], gone: readonly string[] = []): readonly Effect[] {
  const session = screen(80, 24, [parent, blocked, middle, apart]);
  const part = "changed" as const;
  return session.tell({ type: "issues", part, serial: 0, issues, gone, truncated: false });
}

const refreshed = (effects: readonly Effect[]) =>
  effects.filter(({ effect }) => effect === "refresh");

test.each<readonly [string, readonly Issue[], readonly string[]]>([
  ["is closed", [{ ...middle, revision: 2, status: "closed" }], []],
  ["is deleted", [], [middle.uid]],
  ["moves to a project that is not shown", [{ ...middle, revision: 2, project_id: 2 }], []],
])(
  "when an issue %s, its parent and the issues that it blocks are loaded again",
  (_name, issues, gone) => {
    const uids = [parent.uid, blocked.uid];
    expect(refreshed(told(issues, gone))).toEqual([{ effect: "refresh", uids }]);
  },
);

test.each<readonly [string, readonly Issue[]]>([
  ["gets another title", [{ ...middle, revision: 2, title: "Other" }]],
  ["is reported without a change", [middle]],
])("when an issue %s, no other issue is loaded again", (_name, issues) => {
  expect(refreshed(told(issues))).toEqual([]);
});

test.each(["closed", "open"] as const)(
  "the neighbours of an issue that is %s are loaded again when the person closes or reopens it",
  (status) => {
    const session = screen(80, 24, [parent, blocked, { ...middle, status }, apart]);
    const other = status === "open" ? ("closed" as const) : ("open" as const);
    session
      .keys("/")
      .fill("")
      .type("status:all k003")
      .keys("enter", status === "open" ? "x" : "r");
    const id = session.state.writes.sent[0]?.id ?? 0;
    // The event stream may have reported it before.
    const now = { ...middle, revision: 2, status: other };
    session.changed([now]);
    const effects = session.tell({ type: "written", id, issue: now });
    expect(effects).toContainEqual({ effect: "refresh", uids: [parent.uid, blocked.uid] });
  },
);

test("when an issue appears on the board, its neighbours on the board are loaded again, and no other issues", () => {
  const back = issue(9, { parent: parent.uid, blocks: ["01JELSEWHERE00000000000000"] });
  expect(told([back])).toContainEqual({ effect: "refresh", uids: [parent.uid] });
});

test("neighbours that are reported together with the issue are not requested again", () => {
  const closed = { ...middle, revision: 2, status: "closed" as const };
  expect(told([closed, { ...parent, revision: 2 }, { ...blocked, revision: 2 }])).toEqual([]);
});

test("an issue that moved to a hidden project disappears from the board", () => {
  const session = screen(80, 24, [parent, blocked, middle, apart]);
  const issues = [{ ...apart, revision: 2, project_id: 2 }];
  session.changed(issues);
  expect(session.state.issues.has(apart.uid)).toBe(false);
  expect(session.state.issues.has(parent.uid)).toBe(true);
});
