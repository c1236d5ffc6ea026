import { chooseProject } from "../choose-project.ts";
import { clamp, type Doings, to } from "./doing.ts";

export const PROJECTS = {
  "project-down": to((state) => {
    return { ...state, projectCursor: clamp(state.projectCursor + 1, state.projects.length + 1) };
  }),
  "project-up": to((state) => ({ ...state, projectCursor: Math.max(0, state.projectCursor - 1) })),
  "project-choose": {
    run: (state) => chooseProject(state, state.projects[state.projectCursor - 1]),
  },
} satisfies Doings;
