import { listProjects } from "../../../contract/projects.ts";
import { ToolError } from "../../failure.ts";
import type { ToolContext } from "../../tool.ts";

export async function namedProject(name: string, isArchived: boolean, { call }: ToolContext) {
  const { projects } = await call(listProjects, { query: { include: "archived" } });
  const found = projects.find(
    (project) => project.name === name && (project.deleted_at !== undefined) === isArchived,
  );
  if (found !== undefined) return found;
  const kind = isArchived ? "archived" : "active";
  const step = isArchived
    ? "svc.projects with include_archived lists them"
    : "svc.projects lists them";
  throw new ToolError(`there is no ${kind} project ${JSON.stringify(name)}; ${step}`);
}
