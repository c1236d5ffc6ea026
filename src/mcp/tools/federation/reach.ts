import { showProject } from "../../../contract/projects.ts";
import type { Reach } from "../../scope.ts";
import type { ToolContext } from "../../tool.ts";

/**
 * Whether the server reaches the project, archived or not (docs/contract/tools.md#87-federation). `null` means all
 * projects: the result is true only if the server reaches all projects.
 */
export async function isReached(
  { scope: { reach }, call }: Pick<ToolContext, "scope" | "call">,
  project_id: number | null,
): Promise<boolean> {
  if (reach.kind === "all") return true;
  if (project_id === null) return false;
  if (reach.kind === "project") return reach.id === project_id;
  const { project } = await call(showProject, { params: { project_id } });
  return isOneOf(reach, project.uid);
}

/** Like `isReached`, for a project whose uid is known. */
export function isOneOf(reach: Reach, uid: string): boolean {
  if (reach.kind === "all") return true;
  return reach.kind === "project" ? reach.uid === uid : reach.uids.has(uid);
}

/**
 * The text that takes the place of a hub's error if the server reaches only some projects
 * (docs/contract/tools.md#87-federation).
 */
export const HIDDEN_ERROR = "an error that only a server of all projects shows";
