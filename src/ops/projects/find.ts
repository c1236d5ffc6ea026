import { SvcError } from "../../contract/errors.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";

export async function findProject(reader: Reader, id: number): Promise<StoredProject> {
  const project = await reader.projects.findById(id);
  if (project === undefined) throw new SvcError("project_not_found", { project_id: id });
  return project;
}

/** Uids of archived projects, which answers about all projects leave out. */
export async function archivedProjects(reader: Reader): Promise<ReadonlySet<string>> {
  const projects = await reader.projects.list(true);
  return new Set(projects.filter(({ deleted_at }) => deleted_at !== null).map(({ uid }) => uid));
}
