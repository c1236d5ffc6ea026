import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { SvcError } from "../contract/errors.ts";
import { listProjects, showProject } from "../contract/projects.ts";
import type { Output } from "../contract/route.ts";
import { invalid } from "./failure.ts";

type Project = Output<typeof listProjects>["projects"][number];

/**
 * The project that a person means: its id or name, else an identity of it or the last part of one. Archived ones
 * included. Two that fit are one too many.
 */
export async function selectProject(client: Client, text: string): Promise<Project> {
  const { projects } = await call(client, listProjects, { query: { include: "archived" } });
  const direct = projects.filter(({ id, name }) => String(id) === text || name === text);
  const found = direct.length > 0 ? direct : await byAlias(client, projects, text);
  const [project, ...others] = found;
  if (project === undefined) {
    const message = `there is no project ${JSON.stringify(text)}`;
    throw new SvcError("project_not_found", {}, { message, hint: "svc projects list shows them" });
  }
  if (others.length > 0) {
    const names = found.map(({ id, name }) => `${name} (${id})`).join(", ");
    throw invalid(`${JSON.stringify(text)} fits several projects: ${names}`, "use the id");
  }
  return project;
}

async function byAlias(
  client: Client,
  projects: readonly Project[],
  text: string,
): Promise<readonly Project[]> {
  const found: Project[] = [];
  for (const project of projects) {
    const { aliases } = await call(client, showProject, { params: { project_id: project.id } });
    const fits = aliases.some(
      ({ alias_identity: identity }) => identity === text || lastPart(identity) === text,
    );
    if (fits) found.push(project);
  }
  return found;
}

function lastPart(identity: string): string {
  return identity.slice(Math.max(identity.lastIndexOf("/"), identity.lastIndexOf(":")) + 1);
}
