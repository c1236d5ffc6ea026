import type { ProjectItem, ScopeState } from "./state.ts";

interface Projects {
  readonly scope: Pick<ScopeState, "projects">;
}

/**
 * The text for a project in lists and headings: its name and, if it is a copy in which nothing can be changed, a note.
 */
export function projectLabel({
  name,
  readOnlyCopyOf,
}: Pick<ProjectItem, "name" | "readOnlyCopyOf">): string {
  return readOnlyCopyOf === undefined ? name : `${name} (copy)`;
}

/** The text for the project that is shown, or for all projects, in headings. */
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
 * Why nothing can be changed in one of the projects: the project is a copy, and only its hub changes it. Returns
 * `undefined` if none of the projects is such a copy, or if the projects are not loaded yet. If they are not loaded,
 * the daemon still refuses a change of a copy.
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
