import type { ProjectItem, ScopeState } from "./state.ts";

interface Projects {
  readonly scope: Pick<ScopeState, "projects">;
}

/** What lists and headings call a project: its name, and that it is a copy if nothing can be changed in it. */
export function projectLabel({
  name,
  readOnlyCopyOf,
}: Pick<ProjectItem, "name" | "readOnlyCopyOf">): string {
  return readOnlyCopyOf === undefined ? name : `${name} (copy)`;
}

/** What headings call the project that is shown, or all of them. */
export function scopeLabel({
  scope,
}: {
  readonly scope: Pick<ScopeState, "project" | "projects">;
}): string {
  const { project, projects } = scope;
  if (project === undefined) return "all projects";
  const listed = projects.find(({ id }) => id === project.id);
  return projectLabel({ name: project.name, readOnlyCopyOf: listed?.readOnlyCopyOf });
}

/**
 * Why nothing can be changed in one of the projects: it is a copy, which only its hub changes. Undefined if none of them
 * is such a copy, or while the projects are not loaded yet; the daemon refuses the change then.
 */
export function whyCopy(
  { scope: { projects } }: Projects,
  ids: readonly (number | undefined)[],
): string | undefined {
  const copy = projects.find(
    ({ id, readOnlyCopyOf }) => readOnlyCopyOf !== undefined && ids.includes(id),
  );
  if (copy === undefined) return undefined;
  return `${copy.name} is a copy of a project of ${copy.readOnlyCopyOf}: changes are made there`;
}
