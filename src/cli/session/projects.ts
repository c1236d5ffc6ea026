import { call } from "../../client/call.ts";
import { listProjects, showProject } from "../../contract/projects.ts";
import { chooseProject, type NamedProject } from "../../shared/project-choice.ts";
import type { Session } from "./session.ts";

/**
 * Finds the project, archived or not, that `text` names by id, name or repository. Without `text`, returns the project
 * that `--project`, `SVC_PROJECT` or the workspace selects.
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
