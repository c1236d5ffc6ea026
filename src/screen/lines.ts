import { boardRows, cursorIndex, moveBy } from "./board/board.ts";
import { moveInBrowse } from "./board/browse.ts";
import { cronCount, moveInCron } from "./cron/cron.ts";
import { paneOf } from "./detail/panes.ts";
import { fleetRows } from "./fleet/fleet.ts";
import { graphRows } from "./graph/graph.ts";
import { clamp } from "./scroll.ts";
import type { State } from "./state.ts";
import { type Step, step } from "./step.ts";

export function rowCount(state: State): number {
  switch (state.screen) {
    case "board":
      return boardRows(state).length;
    case "inbox":
      return state.inbox.requests?.length ?? 0;
    case "graph":
      return graphRows(state).length;
    case "cron":
      return cronCount(state);
    case "projects":
      // The first row stands for all projects.
      return state.projects.all.length === 0 ? 0 : state.projects.all.length + 1;
    case "fleet":
      return fleetRows(state).length;
  }
}

/** The index of the cursor's row; -1 on a board without a cursor. */
export function cursorOf(state: State): number {
  return state.screen === "board" ? cursorIndex(state) : (state[state.screen]?.cursor ?? 0);
}

export function moveLines(state: State, by: number): Step {
  if (paneOf(state) === "browse") return step(moveInBrowse(state, by));
  const { screen } = state;
  if (screen === "board") return step(moveBy(state, by));
  if (screen === "cron") return moveInCron(state, by);
  const count = rowCount(state);
  if (count === 0) return step(state);
  const cursor = clamp(cursorOf(state) + by, count);
  return step({ ...state, [screen]: { ...state[screen], cursor } });
}
