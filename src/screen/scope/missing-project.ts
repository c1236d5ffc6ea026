import { HOME_SCREEN } from "../home-screen.ts";
import type { MessageOf } from "../message.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { chooseProject, withoutIssues } from "./choose-project.ts";

/**
 * Shows no issues and says that no project is called `name`. Asks the daemon whether a project of this name exists or
 * is archived.
 */
export function missProject(state: State, name: string): Step {
  const next = withoutIssues(toScreen(state, HOME_SCREEN), {
    project: undefined,
    missing: { name, isArchived: false },
  });
  return step(withSlice(next, "loading", { stage: "done" }), { effect: "find-project", name });
}

/**
 * Stores what the daemon knows of the missing project. If the project was made or restored in the meantime, shows it.
 */
export function withFoundProject(state: State, { name, is }: MessageOf<"found-project">): Step {
  if (state.scope.missing?.name !== name) return step(state);
  if (typeof is === "object") return chooseProject(state, is);
  return step(withSlice(state, "scope", { missing: { name, isArchived: is === "archived" } }));
}
