import { type Issue, NO_ISSUES } from "../board/issues.ts";
import { EMPTY_CRON } from "../cron/state.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { Scope } from "./state.ts";

export function isInScope(
  {
    projects: {
      scope: { project },
    },
  }: Pick<State, "projects">,
  issue: Pick<Issue, "project_id">,
): boolean {
  return project === undefined || project.id === issue.project_id;
}

/** Shows the board of the project, or of all projects, and drops the data of the previous project. */
export function chooseProject(state: State, project: Scope["project"]): Step {
  // A choice in the browse pane keeps the focus there.
  const focus = state.window.focus === "browse" ? "browse" : "list";
  const there = withSlice(toScreen(state, "board"), "window", { focus });
  if (state.loading.stage !== "nothing" && state.projects.scope.project?.id === project?.id)
    return step(there);
  const serial = state.session.serial + 1;
  const next: State = {
    ...there,
    session: { ...there.session, serial },
    loading: { ...there.loading, serial, stage: "first", pages: [], truncated: false },
    projects: { ...there.projects, scope: { project } },
    issues: NO_ISSUES,
    writes: { ...there.writes, truth: new Map() },
    graph: undefined,
    cron: { ...EMPTY_CRON, unsupported: state.cron.unsupported },
  };
  const board = withSlice(next, "board", {
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
