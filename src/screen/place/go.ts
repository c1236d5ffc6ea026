import { setQuery, toOrder, toView } from "../board/board.ts";
import { runCommand } from "../commands.ts";
import { showTab } from "../cron/cron.ts";
import { showGraph, sourcesBefore } from "../graph/graph.ts";
import type { Command } from "../keys.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { missProject } from "../scope/missing-project.ts";
import { type Screen, type State, toScreen } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { arrive } from "./arrive.ts";
import type { Place } from "./place.ts";
import { placeOf } from "./place-of.ts";

/** The command that shows a screen and reads what it needs. */
export const SCREEN_COMMANDS: Readonly<Record<Screen, Command>> = {
  board: "board",
  inbox: "inbox",
  graph: "graph-screen",
  cron: "cron",
  projects: "projects",
  fleet: "fleet",
};

/** Goes to a place by changing only what differs from it. An open form stays open, so that no text is lost. */
export function goTo(state: State, place: Place): Step {
  const steps: readonly ((now: State) => Step)[] = [
    (now) => toProject(now, place.project),
    (now) => step(toScreen(now, now.screen)),
    (now) => toScreenOf(now, place),
    (now) =>
      place.screen === "cron" && now.cron.tab !== place.tab ? showTab(now, place.tab) : step(now),
    (now) => step(now.board.query === place.query ? now : setQuery(now, place.query)),
    (now) => step(now.board.view === place.view ? now : toView(now, place.view)),
    (now) => step(now.board.order === place.order ? now : toOrder(now, place.order)),
    (now) => arrive(now, place),
  ];
  return steps.reduce((all, next) => andThen(all, next), step(state));
}

function toScreenOf(state: State, { screen, source }: Place): Step {
  if (screen === "graph" && source !== undefined)
    return state.screen === "graph" && state.graph?.source === source
      ? step(state)
      : showGraph(state, source, sourcesBefore(state, source));
  if (state.screen === screen) return step(state);
  const there = runCommand(state, SCREEN_COMMANDS[screen]);
  // Without an issue, the command for the graph screen is refused. An address may still name that screen, which then
  // says that no issue is chosen.
  return there.state.screen === screen ? there : step(toScreen(state, screen));
}

function toProject(state: State, name: string | undefined): Step {
  if (placeOf(state).project === name) return step(state);
  const project = state.projects.all.find((known) => known.name === name);
  return name === undefined || project !== undefined
    ? chooseProject(state, project)
    : missProject(state, name);
}
