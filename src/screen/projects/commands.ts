import type { CommandHandlers } from "../command.ts";
import { stateCommand } from "../commands/command-handler.ts";
import { projectNames } from "../issues/choices.ts";
import { hint } from "../messages/messages.ts";
import { type Entry, entry } from "../palette/entry.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { loadProjects } from "../scope/counts.ts";
import { toScreen, withSlice } from "../state.ts";
import { step } from "../step.ts";
import { askProjectName } from "./projects.ts";

export const PROJECTS_COMMANDS = {
  projects: { run: (state) => step(toScreen(state, "projects"), loadProjects()) },
  "project-new": { ...stateCommand(askProjectName), needsDaemon: true },
  "project-choose": {
    run: (state) => chooseProject(state, state.scope.projects[state.projects.cursor - 1]),
    why: ({ scope: { projects } }) =>
      projects.length === 0 ? "there is no project yet" : undefined,
    needsDaemon: true,
  },
} satisfies CommandHandlers;

const ALL_PROJECTS = "all projects";

export const PROJECT_ENTRIES: readonly Entry[] = [
  entry("project", "show a project on the board", {
    what: "project",
    choices: (state) => [ALL_PROJECTS, ...projectNames(state)],
    run: (state, text) => {
      const project = state.scope.projects.find(({ name }) => name === text);
      if (project === undefined && text !== ALL_PROJECTS)
        return hint(state, `no project is called ${text}`);
      return chooseProject(withSlice(state, "window", { focus: "list" }), project);
    },
  }),
  entry(ALL_PROJECTS, "show the issues of all projects on the board", (state) =>
    chooseProject(withSlice(state, "window", { focus: "list" }), undefined),
  ),
];
