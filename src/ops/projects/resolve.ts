import { invalid, SvcError } from "../../contract/errors.ts";
import type { resolveProject as contract } from "../../contract/projects.ts";
import type { Input } from "../../contract/route.ts";
import { enclosingPaths, localIdentity, workspacePath } from "../../domain/workspace.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { aliasOut, projectOut } from "../out/projects.ts";
import { isActive } from "./names.ts";

type Body = Input<typeof contract>["body"];

/**
 * Finds the project of a workspace: by alias, else by name, else by the folder or a folder above it
 * (docs/contract/http-api.md#32-health-and-projects).
 */
export const resolveProject: Op<typeof contract> = async (deps, _who, { body }) => {
  const { alias, name, start_path } = body;
  if (alias === undefined && name === undefined && start_path === undefined) {
    throw invalid("one of alias, name and start_path is required");
  }
  return await deps.store.read(async (reader) => {
    const project =
      (await byAlias(reader, body)) ??
      (await byName(reader, body)) ??
      (await byFolder(reader, body));
    if (project === undefined) throw new SvcError("project_not_initialized");
    return project;
  });
};

async function byAlias(reader: Reader, { alias }: Body) {
  if (alias === undefined) return undefined;
  const project = await reader.projects.findByAlias(alias.identity);
  return isActive(project)
    ? await resolvedAnswer(reader, project, alias.identity, alias.root_path)
    : undefined;
}

async function byName(reader: Reader, { name }: Body) {
  if (name === undefined) return undefined;
  const project = await reader.projects.findByName(name.trim());
  return isActive(project)
    ? await resolvedAnswer(reader, project, undefined, undefined)
    : undefined;
}

async function byFolder(reader: Reader, { start_path }: Body) {
  if (start_path === undefined) return undefined;
  for (const path of enclosingPaths(workspacePath(start_path))) {
    const identity = localIdentity(path);
    const project = await reader.projects.findByAlias(identity);
    if (isActive(project)) return await resolvedAnswer(reader, project, identity, path);
  }
  return undefined;
}

async function resolvedAnswer(
  reader: Reader,
  project: StoredProject,
  identity: string | undefined,
  root: string | undefined,
) {
  const aliases = await reader.projects.aliases(project.uid);
  const alias = aliases.find(({ alias_identity }) => alias_identity === identity);
  return {
    project: projectOut(project),
    ...(alias === undefined ? {} : { alias: aliasOut(alias, project) }),
    ...(root === undefined ? {} : { workspace_root: root }),
  };
}
