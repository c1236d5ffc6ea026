import { moveBy } from "./board/board.ts";
import { moveInBrowse } from "./board/browse.ts";
import { moveInCron } from "./cron/cron.ts";
import { moveInFleet } from "./fleet/fleet.ts";
import { moveInGraph } from "./graph/graph.ts";
import { moveInInbox } from "./inbox/inbox.ts";
import { moveInProjects } from "./projects/projects.ts";
import type { State } from "./state.ts";
import { type Step, step } from "./step.ts";
import { paneOf } from "./window/panes.ts";

/** Moves the cursor of the list that has the focus. */
export function moveLines(state: State, by: number): Step {
  if (paneOf(state) === "browse") return step(moveInBrowse(state, by));
  switch (state.screen) {
    case "inbox":
      return step(moveInInbox(state, by));
    case "graph":
      return step(moveInGraph(state, by));
    case "cron":
      return moveInCron(state, by);
    case "projects":
      return step(moveInProjects(state, by));
    case "fleet":
      return step(moveInFleet(state, by));
    case "board":
      return step(moveBy(state, by));
  }
}
