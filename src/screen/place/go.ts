import { setQuery, toOrder, toView } from "../board/board.ts";
import { runCommand } from "../commands.ts";
import { showTab } from "../cron/cron.ts";
import { openIssue } from "../detail/detail.ts";
import type { Command } from "../keys.ts";
import { say } from "../messages/messages.ts";
import { chooseProject } from "../projects/choose-project.ts";
import { type Screen, type State, toScreen } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import type { Place } from "./place.ts";

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
    (now) =>
      now.screen === place.screen ? step(now) : runCommand(now, SCREEN_COMMANDS[place.screen]),
    (now) =>
      place.screen === "cron" && now.cron.tab !== place.tab ? showTab(now, place.tab) : step(now),
    (now) => step(now.board.query === place.query ? now : setQuery(now, place.query)),
    (now) => step(now.board.view === place.view ? now : toView(now, place.view)),
    (now) => step(now.board.order === place.order ? now : toOrder(now, place.order)),
    (now) => openIssue(now, place.issue),
  ];
  return steps.reduce((all, next) => andThen(all, next), step(state));
}

function toProject(state: State, name: string | undefined): Step {
  if (state.projects.scope.project?.name === name) return step(state);
  const project = state.projects.all.find((known) => known.name === name);
  if (name === undefined || project !== undefined) return chooseProject(state, project);
  return say(state, `no project is called ${name}`, "error");
}
