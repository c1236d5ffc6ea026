import { HOME_SCREEN } from "../home-screen.ts";
import { type Issue, NO_ISSUES } from "../issues/issues.ts";
import type { Scope } from "../scope/state.ts";
import { type State, toScreen, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";

export function isInScope(
  { scope }: Pick<State, "scope">,
  issue: Pick<Issue, "project_id">,
): boolean {
  const { project, missing } = scope;
  if (missing !== undefined) return false;
  return project === undefined || project.id === issue.project_id;
}

/** Shows the board of the project, or of all projects, and drops the data of the previous project. */
export function chooseProject(state: State, project: Scope["project"]): Step {
  // A choice in the browse pane keeps the focus there.
  const focus = state.window.focus === "browse" ? "browse" : "list";
  const there = withSlice(toScreen(state, HOME_SCREEN), "window", { focus });
  const { scope } = state;
  const isShown = scope.missing === undefined && scope.project?.id === project?.id;
  if (state.loading.stage !== "nothing" && isShown) return step(there);
  const next = withoutIssues(there, { project, missing: undefined });
  const { serial } = next.session;
  return step(next, { effect: "load-issues", project_id: project?.id, serial });
}

/** Returns the board of another project, still without its issues. Answers to earlier readings are dropped. */
export function withoutIssues(
  there: State,
  shown: Pick<State["scope"], "project" | "missing">,
): State {
  const serial = there.session.serial + 1;
  const next: State = {
    ...there,
    session: { ...there.session, serial },
    loading: { ...there.loading, serial, stage: "first", pages: [], truncated: false },
    scope: { ...there.scope, ...shown },
    issues: NO_ISSUES,
    marks: new Set(),
    writes: { ...there.writes, truth: new Map() },
  };
  return there.screens.reduce((now, { withoutProject }) => withoutProject?.(now) ?? now, next);
}
