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
 * Finds the project that `text` names by id, name or repository, archived ones included; without `text` the project of
 * the command (`--project` or the folder's).
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
