import { chooseProject } from "../projects/choose-project.ts";
import { askProjectName } from "../projects/projects.ts";
import { type CommandHandlers, to } from "./command-handler.ts";

export const PROJECTS = {
  "project-new": to(askProjectName),
  "project-choose": {
    run: (state) => chooseProject(state, state.projects.all[state.projects.cursor - 1]),
    why: ({ projects: { all: projects } }) =>
      projects.length === 0 ? "there is no project yet" : undefined,
  },
} satisfies CommandHandlers;
