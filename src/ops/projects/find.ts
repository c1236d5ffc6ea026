import { SvcError } from "../../contract/errors.ts";
import type { Reader, StoredProject } from "../../store/types.ts";

export async function findProject(reader: Reader, id: number): Promise<StoredProject> {
  const project = await reader.projects.findById(id);
  if (project === undefined) throw new SvcError("project_not_found", { project_id: id });
  return project;
}
