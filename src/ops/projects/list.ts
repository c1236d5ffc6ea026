import type { listProjects as contract } from "../../contract/projects.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { ReadOp } from "../deps.ts";
import { copiesOut } from "../federation/binding.ts";
import { projectOut } from "../out/projects.ts";

export const listProjects: ReadOp<typeof contract> = async (deps, _who, { query }) => {
  const include = includedParts(query.include);
  return await deps.store.read(async (reader) => {
    const projects = await reader.projects.list(include.has("archived"));
    const copies = await copiesOut(reader);
    const shown = (project: StoredProject) => {
      const copy_of = copies.get(project.uid);
      return { ...projectOut(project), ...(copy_of === undefined ? {} : { copy_of }) };
    };
    if (!include.has("stats")) return { projects: projects.map(shown) };
    const stats = await reader.projects.stats(projects.map(({ uid }) => uid));
    const none = { open: 0, closed: 0, last_event_at: null };
    return {
      projects: projects.map((project) => ({
        ...shown(project),
        stats: stats.get(project.uid) ?? none,
      })),
    };
  });
};

/**
 * Splits a list at its commas; all other lists of a query are repeated parameters
 * (docs/contract/http-api.md#11-transport-and-formats).
 */
function includedParts(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? "").split(","));
}
