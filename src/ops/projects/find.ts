import type { Reader } from "../../store/types/store.ts";

/** Uids of archived projects, which answers about all projects leave out. */
export async function archivedProjects(reader: Reader): Promise<ReadonlySet<string>> {
  const projects = await reader.projects.list(true);
  return new Set(projects.filter(({ deleted_at }) => deleted_at !== null).map(({ uid }) => uid));
}
