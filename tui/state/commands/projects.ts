import { clamp } from "../../scroll.ts";
import { chooseProject } from "../choose-project.ts";
import { askProjectName } from "../projects.ts";
import { type Doings, to } from "./doing.ts";

export const PROJECTS = {
  "project-down": to((state) => {
    return { ...state, projectCursor: clamp(state.projectCursor + 1, state.projects.length + 1) };
  }),
  "project-up": to((state) => ({ ...state, projectCursor: Math.max(0, state.projectCursor - 1) })),
  "project-first": to((state) => ({ ...state, projectCursor: 0 })),
  "project-last": to((state) => ({ ...state, projectCursor: state.projects.length })),
  "project-new": to(askProjectName),
  "project-choose": {
    run: (state) => chooseProject(state, state.projects[state.projectCursor - 1]),
    why: ({ projects }) => (projects.length === 0 ? "there is no project yet" : undefined),
  },
} satisfies Doings;
