import { type CommandHandlers, to } from "../commands/command-handler.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { askProjectName } from "./projects.ts";

export const PROJECTS = {
  "project-new": to(askProjectName),
  "project-choose": {
    run: (state) => chooseProject(state, state.projects.all[state.projects.cursor - 1]),
    why: ({ projects: { all: projects } }) =>
      projects.length === 0 ? "there is no project yet" : undefined,
  },
} satisfies CommandHandlers;
