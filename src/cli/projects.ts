import { call } from "../client/call.ts";
import { listProjects, showProject } from "../contract/projects.ts";
import { chooseProject } from "../shared/project-choice.ts";
import type { Session } from "./session.ts";

export interface NamedProject {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

/**
 * Finds the project, archived or not, that `text` names by id, name or repository. Without `text` it is the project of
 * the command: that of `--project`, of `SVC_PROJECT` or of the workspace.
 */
export async function selectProject(
  session: Session,
  text: string | undefined,
): Promise<NamedProject> {
  if (text === undefined) return await session.project();
  const client = await session.client();
  const { projects } = await call(client, listProjects, { query: { include: "archived" } });
  return await chooseProject(text, projects, async ({ id }) => {
    return (await call(client, showProject, { params: { project_id: id } })).aliases;
  });
}
