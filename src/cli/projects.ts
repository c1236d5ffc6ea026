import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { listProjects, showProject } from "../contract/projects.ts";
import { chooseProject } from "../shared/project-choice.ts";

/** The project that a person means by an id, a name or a repository; archived ones included. */
export async function selectProject(client: Client, text: string) {
  const { projects } = await call(client, listProjects, { query: { include: "archived" } });
  return await chooseProject(text, projects, async ({ id }) => {
    return (await call(client, showProject, { params: { project_id: id } })).aliases;
  });
}
