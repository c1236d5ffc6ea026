import { invalid, SvcError } from "../contract/errors.ts";
import type { listProjects } from "../contract/projects.ts";
import type { Output } from "../contract/route.ts";

/** The id, uid and name of a project. */
export type NamedProject = Pick<
  Output<typeof listProjects>["projects"][number],
  "id" | "uid" | "name"
>;

type Named = Pick<NamedProject, "id" | "name">;

interface Alias {
  readonly alias_identity: string;
}

/**
 * Finds a project by its id or name, otherwise by an alias or the last part of an alias. Throws unless exactly one
 * project matches. `aliasesOf` is called only if no id and no name matches.
 */
export async function chooseProject<P extends Named>(
  text: string,
  projects: readonly P[],
  aliasesOf: (project: P) => Promise<readonly Alias[]>,
): Promise<P> {
  const direct = projects.filter(({ id, name }) => String(id) === text || name === text);
  const found = direct.length > 0 ? direct : await byAlias(text, projects, aliasesOf);
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

async function byAlias<P extends Named>(
  text: string,
  projects: readonly P[],
  aliasesOf: (project: P) => Promise<readonly Alias[]>,
): Promise<readonly P[]> {
  const found: P[] = [];
  for (const project of projects)
    if ((await aliasesOf(project)).some((alias) => isAlias(alias, text))) found.push(project);
  return found;
}

function isAlias({ alias_identity: identity }: Alias, text: string): boolean {
  const last = Math.max(identity.lastIndexOf("/"), identity.lastIndexOf(":"));
  return identity === text || identity.slice(last + 1) === text;
}
