import type { Reducer } from "../reducer.ts";
import { step } from "../step.ts";
import { chooseProject } from "./choose-project.ts";
import { withFoundProject } from "./missing-project.ts";
import { withNewProject, withProjects } from "./projects.ts";

export const projectsReducer: Reducer<"scope" | "projects" | "new-project" | "found-project"> = {
  scope: (state, { scope }) => chooseProject(state, scope.project),
  projects: (state, message) => step(withProjects(state, message)),
  "new-project": withNewProject,
  "found-project": withFoundProject,
};
