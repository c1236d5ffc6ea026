import type { Effect } from "../effect.ts";
import type { ProjectItem } from "../scope/state.ts";
import type { State } from "../state.ts";

/**
 * The effect that reads the projects. With `wait`, calls within that many milliseconds after the first call cause a
 * single read.
 */
export function loadProjects(wait = 0): Effect {
  return { effect: "load-projects", wait };
}

export function inboxProject({
  projects,
}: Pick<State["scope"], "projects">): ProjectItem | undefined {
  return projects.find(({ isInbox }) => isInbox === true);
}

export function countsOf(projects: State["scope"]["projects"]) {
  const sum = (of: "open" | "closed"): number =>
    projects.reduce((total, project) => total + project[of], 0);
  return { open: sum("open"), closed: sum("closed") };
}

/** The daemon's counts of open and closed issues, while not all issues are loaded here; else `undefined`. */
export function totalCounts(state: State): ReturnType<typeof countsOf> | undefined {
  const { issues } = state;
  const { projects, project } = state.scope;
  const { stage: loading, truncated } = state.loading;
  if (loading === "done" && !truncated) return undefined;
  const shown = project?.id;
  const counts = countsOf(projects.filter(({ id }) => shown === undefined || id === shown));
  return issues.size < counts.open + counts.closed ? counts : undefined;
}
