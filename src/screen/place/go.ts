import { runCommand } from "../commands.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { missProject } from "../scope/missing-project.ts";
import { recordOf } from "../screen.ts";
import { type State, toScreen } from "../state.ts";
import { andThen, type Step, step } from "../step.ts";
import { arrive } from "./arrive.ts";
import type { Place } from "./place.ts";
import { placeOf } from "./place-of.ts";

/** Goes to a place by changing only what differs from it. An open form stays open, so that no text is lost. */
export function goTo(state: State, place: Place): Step {
  const steps: readonly ((now: State) => Step)[] = [
    (now) => toProject(now, place.project),
    (now) => step(toScreen(now, now.screen)),
    (now) => toScreenOf(now, place),
    ...state.screens
      .flatMap(({ address }) => address?.follow ?? [])
      .map((follow) => (now: State) => follow(now, place)),
    (now) => arrive(now, place),
  ];
  return steps.reduce((all, next) => andThen(all, next), step(state));
}

function toScreenOf(state: State, place: Place): Step {
  const { address, shownBy } = recordOf(state, place.screen);
  const own = address?.show?.(state, place);
  if (own !== undefined) return own;
  if (state.screen === place.screen) return step(state);
  const there = runCommand(state, shownBy);
  // The command of a screen may refuse to run: the graph's command does so without an issue. If the address names such
  // a screen, show the screen anyway. The screen then says why it is empty.
  return there.state.screen === place.screen ? there : step(toScreen(state, place.screen));
}

function toProject(state: State, name: string | undefined): Step {
  if (placeOf(state).project === name) return step(state);
  const project = state.scope.projects.find((known) => known.name === name);
  return name === undefined || project !== undefined
    ? chooseProject(state, project)
    : missProject(state, name);
}
