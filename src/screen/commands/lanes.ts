import { chosen } from "../board/board.ts";
import { cursorRow, laneAt, toLane } from "../board/lane-places.ts";
import { lanesOf } from "../board/lanes.ts";
import { needsIssue } from "../detail/detail.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendOrAsk } from "../writes/sending.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { type CommandHandler, type CommandHandlers, writing } from "./command-handler.ts";
import { ISSUE } from "./issue.ts";

const toSide = (by: 1 | -1): CommandHandler => ({
  run: (state) => {
    const next = toLane(state, by);
    return next === undefined ? hint(state, noLane(by)) : step(next);
  },
});

const carry = (by: 1 | -1): CommandHandler =>
  writing({
    run: (state) => (state.board.view === "owners" ? toOwner(state, by) : toState(state, by)),
    why: needsIssue,
  });

export const LANES = {
  "lane-left": toSide(-1),
  "lane-right": toSide(1),
  "carry-left": carry(-1),
  "carry-right": carry(1),
} satisfies CommandHandlers;

const noLane = (by: 1 | -1): string => `no lane is further ${by === 1 ? "right" : "left"}`;

/**
 * Closes the issues that are carried to the right, or reopens those carried to the left. The lanes of open issues
 * follow from links, dates and children, so no key chooses these lanes.
 */
function toState(state: State, by: 1 | -1): Step {
  const wanted = by === 1 ? "open" : "closed";
  if (chosen(state).some(({ status }) => status === wanted))
    return by === 1 ? ISSUE.close.run(state) : ISSUE.reopen.run(state);
  return by === 1
    ? hint(state, noLane(by))
    : hint(state, "blocked, ready or waiting: links, dates and children decide that");
}

/** Assigns the issues to the owner of the next lane; the lane without a name clears the owner. */
function toOwner(state: State, by: 1 | -1): Step {
  const { lanes } = lanesOf(state);
  const lane = lanes[laneAt(state, cursorRow(state)) + by];
  if (lane === undefined) return hint(state, noLane(by));
  const { name: owner } = lane;
  const writes = chosen(state)
    .filter((issue) => (issue.owner ?? "") !== owner)
    .map((issue): Write => {
      const at = atOf(issue);
      return owner === "" ? { act: "unassign", at } : { act: "assign", at, owner };
    });
  const whose = owner === "" ? "nobody" : owner;
  if (writes.length === 0) return hint(state, `${whose} owns it already`);
  return sendOrAsk(state, writes, `give ${writes.length} issues to ${whose}?`);
}
