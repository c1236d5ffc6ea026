import { NO_ISSUES } from "./issues.ts";
import { EMPTY_CRON } from "./slices.ts";
import type { Scope, State } from "./state.ts";
import { type Step, step } from "./step.ts";

/** The board shows this project's issues, or with none those of all; what was read of another is dropped. */
export function chooseProject(state: State, project: Scope["project"]): Step {
  if (state.loading !== "nothing" && state.scope.project?.id === project?.id)
    return step({ ...state, screen: "board", open: [] });
  const serial = state.serial + 1;
  const next: State = {
    ...state,
    serial,
    scopeSerial: serial,
    scope: { project },
    screen: "board",
    issues: NO_ISSUES,
    loading: "first",
    pages: [],
    open: [],
    graph: undefined,
    cron: { ...EMPTY_CRON, unsupported: state.cron.unsupported },
  };
  const board = {
    ...next.board,
    search: undefined,
    cursor: undefined,
    line: 0,
    marks: new Set<string>(),
    anchor: undefined,
  };
  return step({ ...next, board }, { effect: "load-issues", project_id: project?.id, serial });
}
