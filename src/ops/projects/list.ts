import type { listProjects as contract } from "../../contract/projects.ts";
import type { ReadOp } from "../deps.ts";
import { projectOut } from "../out/projects.ts";

export const listProjects: ReadOp<typeof contract> = async (deps, _who, { query }) => {
  const include = includedParts(query.include);
  return await deps.store.read(async (reader) => {
    const projects = await reader.projects.list(include.has("archived"));
    if (!include.has("stats")) return { projects: projects.map(projectOut) };
    const stats = await reader.projects.stats(projects.map(({ uid }) => uid));
    const none = { open: 0, closed: 0, last_event_at: null };
    return {
      projects: projects.map((project) => ({
        ...projectOut(project),
        stats: stats.get(project.uid) ?? none,
      })),
    };
  });
};

/** Splits a list at its commas; all other lists of a query are repeated parameters (facts http-api 1.1). */
function includedParts(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? "").split(","));
}
