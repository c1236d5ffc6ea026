import { type Issue, NO_ISSUES } from "../board/issues.ts";
import { EMPTY_CRON } from "../slices.ts";
import { type Scope, type State, toScreen, withBoard } from "../state.ts";
import { type Step, step } from "../step.ts";

export function isInScope(
  { scope: { project } }: Pick<State, "scope">,
  issue: Pick<Issue, "project_id">,
): boolean {
  return project === undefined || project.id === issue.project_id;
}

/** The board shows this project's issues, or with none those of all; what was read of another is dropped. */
export function chooseProject(state: State, project: Scope["project"]): Step {
  // Who chose it beside the list goes on there.
  const focus = state.focus === "browse" ? "browse" : "list";
  const there: State = { ...toScreen(state, "board"), focus };
  if (state.loading !== "nothing" && state.scope.project?.id === project?.id) return step(there);
  const serial = state.serial + 1;
  const next: State = {
    ...there,
    serial,
    scopeSerial: serial,
    scope: { project },
    issues: NO_ISSUES,
    truth: new Map(),
    loading: "first",
    pages: [],
    truncated: false,
    graph: undefined,
    cron: { ...EMPTY_CRON, unsupported: state.cron.unsupported },
  };
  const board = withBoard(next, {
    search: undefined,
    cursor: undefined,
    line: 0,
    places: new Map(),
    left: 0,
    marks: new Set(),
    anchor: undefined,
  });
  return step(board, { effect: "load-issues", project_id: project?.id, serial });
}
