import { expect, test } from "vitest";
import { visibleIssues } from "../../src/screen/board/visible-issues.ts";
import { issue, screen } from "../tui/support.ts";

/** In the order of their numbers. */
const many = Array.from({ length: 60 }, (_none, at) =>
  issue(at + 1, { updated_at: `2026-11-20T10:${String(59 - at).padStart(2, "0")}:00.000Z` }),
);
const uids = (from: number, to: number) => many.slice(from - 1, to).map(({ uid }) => uid);

test("the rows that are drawn count as visible, wherever the list is scrolled to", () => {
  const session = screen(80, 24, many);
  const seen = [...visibleIssues(session.state)];
  expect(seen).toEqual(uids(1, seen.length));
  expect(seen.length).toBeGreaterThan(15);
  expect([...visibleIssues(session.keys("G").state)].slice(-seen.length)).toEqual(
    uids(61 - seen.length, 60),
  );
});

test("an open issue counts as visible too, and in lanes the cards that fit", () => {
  const session = screen(80, 24, many).keys("j", "enter");
  expect([...visibleIssues(session.state)][0]).toBe(issue(2).uid);
  const lanes = visibleIssues(screen(80, 24, many).keys("v", "v").state);
  expect(lanes.has(issue(1).uid)).toBe(true);
  expect(lanes.has(issue(60).uid)).toBe(false);
});
