import type { Reducer } from "../reducer.ts";
import { chooseProject } from "../scope/choose-project.ts";
import { withFoundProject } from "../scope/missing-project.ts";
import { step } from "../step.ts";
import { withNewProject, withProjects } from "./projects.ts";

export const projectsReducer: Reducer<"scope" | "projects" | "new-project" | "found-project"> = {
  scope: (state, { scope }) => chooseProject(state, scope.project),
  projects: (state, message) => step(withProjects(state, message)),
  "new-project": withNewProject,
  "found-project": withFoundProject,
};
