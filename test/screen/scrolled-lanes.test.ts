import { expect, test } from "vitest";
import { cardsOf } from "../../src/screen/board/lane-places.ts";
import { lanesOf } from "../../src/screen/board/lanes.ts";
import { issue, type Session, screen } from "../tui/support.ts";

/** Lanes by owner with twelve issues each; the cursor is in the lane of ana. */
function lanes(): Session {
  const of = (owner: string, first: number) =>
    Array.from({ length: 12 }, (_, at) => issue(first + at, { owner }));
  const session = screen(120, 24, [...of("ana", 1), ...of("bo", 21)]);
  while (session.state.board.view !== "owners") session.keys("v");
  return session.keys("left", "left", "g");
}

function seenIn({ state }: Session, name: string): readonly number[] {
  const lane = lanesOf(state).lanes.find((one) => one.name === name);
  if (lane === undefined) throw new Error(`there is no lane ${name}`);
  return cardsOf(state, lane).map(({ row }) => row - lane.start);
}

test.each([
  [0, 0],
  [1, 1],
  [5, 5],
])("in a lane that is scrolled by %i cards, card %i is the first visible one", (above, first) => {
  const session = lanes();
  session.tell({ type: "lanes-scrolled", above: new Map([["bo", above]]) });
  expect(seenIn(session, "bo")[0]).toBe(first);
});

test.each([11, 12, 99])("a lane that is scrolled by %i cards shows its last card", (above) => {
  const session = lanes();
  session.tell({ type: "lanes-scrolled", above: new Map([["bo", above]]) });
  expect(seenIn(session, "bo").at(-1)).toBe(11);
});

test("the key that changes the lane moves to a visible card, and a lane that is gone is ignored", () => {
  const session = lanes();
  const above = new Map([
    ["ana", 0],
    ["bo", 5],
    ["nobody of that name", 3],
  ]);
  session.tell({ type: "lanes-scrolled", above });
  const seen = seenIn(session, "bo");
  session.keys("right");
  const { rows, lanes: all } = lanesOf(session.state);
  const lane = all.find(({ name }) => name === "bo");
  const row = rows.findIndex((one) => one.issue.uid === session.state.board.cursor);
  expect(seen).toContain(row - (lane?.start ?? 0));
  expect(row - (lane?.start ?? 0)).toBeGreaterThan(4);
});
