import { chosenIssues } from "../chosen.ts";
import type { CommandHandler, CommandHandlers } from "../command.ts";
import { writeCommand } from "../commands/command-handler.ts";
import { needsIssue } from "../detail/detail.ts";
import { hint } from "../messages/messages.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { askLane, carryTo, whyNoLane } from "./carry.ts";
import { cursorRow, laneAt, toLane } from "./lane-places.ts";
import { CLOSED_LANE, lanesOf } from "./lanes.ts";

const toSide = (by: 1 | -1): CommandHandler => ({
  run: (state) => {
    const next = toLane(state, by);
    return next === undefined ? hint(state, noLane(by)) : step(next);
  },
});

const carry = (by: 1 | -1): CommandHandler =>
  writeCommand({
    run: (state) => (state.board.view === "owners" ? toOwner(state, by) : toState(state, by)),
    why: needsIssue,
  });

export const LANE_COMMANDS = {
  "lane-left": toSide(-1),
  "lane-right": toSide(1),
  "carry-left": carry(-1),
  "carry-right": carry(1),
  "carry-to": writeCommand({
    run: askLane,
    why: (state) => needsIssue(state) ?? whyNoLane(state),
  }),
} satisfies CommandHandlers;

const noLane = (by: 1 | -1): string => `no lane is further ${by === 1 ? "right" : "left"}`;

/**
 * Carries the chosen issues to the right, which closes them, or to the left, which reopens them. It does not matter how
 * many lanes the issues cross.
 */
function toState(state: State, by: 1 | -1): Step {
  const { lanes } = lanesOf(state);
  const to = by === 1 ? CLOSED_LANE : (lanes[0]?.name ?? "");
  const isThere = chosenIssues(state).every(({ status }) => status === "closed");
  return by === 1 && isThere ? hint(state, noLane(by)) : carryTo(state, chosenIssues(state), to);
}

function toOwner(state: State, by: 1 | -1): Step {
  const { lanes } = lanesOf(state);
  const lane = lanes[laneAt(state, cursorRow(state)) + by];
  return lane === undefined
    ? hint(state, noLane(by))
    : carryTo(state, chosenIssues(state), lane.name);
}
