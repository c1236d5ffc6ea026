import { EMPTY_CRON, type State } from "../state.ts";
import { step } from "../step.ts";
import { clamp, type Doings, to } from "./doing.ts";

export const PROJECTS = {
  "project-down": to((state) => {
    return { ...state, projectCursor: clamp(state.projectCursor + 1, state.projects.length + 1) };
  }),
  "project-up": to((state) => ({ ...state, projectCursor: Math.max(0, state.projectCursor - 1) })),
  "project-choose": {
    run: (state) => {
      const project = state.projects[state.projectCursor - 1];
      const serial = state.serial + 1;
      const next: State = {
        ...state,
        serial,
        scopeSerial: serial,
        scope: { project },
        screen: "board",
        issues: new Map(),
        loading: "first",
        open: [],
        graph: undefined,
        cron: EMPTY_CRON,
      };
      const board = { ...next.board, cursor: undefined, line: 0, marks: new Set<string>() };
      return step({ ...next, board }, { effect: "load-issues", project_id: project?.id, serial });
    },
  },
} satisfies Doings;
