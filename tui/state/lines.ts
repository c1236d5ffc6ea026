import { layoutOf } from "../layout.ts";
import { moveInCron } from "./cron.ts";
import { moveInGraph } from "./graph.ts";
import { moveInInbox } from "./inbox.ts";
import type { State } from "./state.ts";
import { type Step, step } from "./step.ts";

/** So many lines up or down in the list that the screen is, as far as it goes. */
export function moveLines(state: State, by: number): Step {
  switch (state.screen) {
    case "inbox":
      return step(moveInInbox(state, by));
    case "graph":
      return step(moveInGraph(state, by));
    case "cron":
      return moveInCron(state, by);
    case "board":
    case "projects":
    case "fleet":
      return step(state);
  }
}

/** What a page is: about what is seen at once. */
export function pageOf({ columns, rows, layout }: State): number {
  return Math.max(1, (layoutOf(columns, rows, layout).list?.height ?? 4) - 3);
}
