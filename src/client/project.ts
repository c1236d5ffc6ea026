import { basename } from "node:path";
import { realPath, workTreeAround } from "../config/git-dir.ts";
import { configuredProgramEnv } from "../config/secret-variables.ts";
import { type Workspace, writeWorkspaceFile } from "../config/workspace.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import { listProjects, resolveProject } from "../contract/projects.ts";
import type { CallInput, Output } from "../contract/route.ts";
import { call } from "./call.ts";
import type { Client } from "./client.ts";
import type { Identity } from "./identity.ts";
import { projectNameOf } from "./remote-url.ts";

export type Project = Output<typeof resolveProject>["project"];

export interface ResolveOptions {
  /**
   * The value of `--project`. It is used instead of the workspace's project. The workspace still selects the daemon.
   */
  readonly name?: string;
  readonly start: string;
}

/** Finds the project of a command; never creates one (docs/contract/command-line.md#52-project). */
export async function findProject(
  client: Client,
  { name, start }: ResolveOptions,
): Promise<Project> {
  try {
    if (name !== undefined) return await resolve(client, { name });
    const { overlay, file } = client.workspace;
    if (overlay !== undefined) return await resolve(client, { name: overlay });
    if (file !== undefined) return await byFile(client, file);
    const alias = await identityAt(client, start);
    return await resolve(client, alias === undefined ? folderOf(client, start) : { alias });
  } catch (error) {
    throw isUnknown(error) ? withAdvice(error, client, name) : error;
  }
}

type Body = NonNullable<CallInput<typeof resolveProject>["body"]>;

/**
 * The request that names the project by its folder. Throws for a remote daemon, because the path of a folder has a
 * meaning only for a daemon on the same machine (docs/contract/http-api.md#32-health-and-projects).
 */
function folderOf({ target }: Client, start: string): Body {
  if (target.kind === "remote") throw new SvcError("project_not_initialized");
  return { start_path: realPath(start) };
}

async function resolve(client: Client, body: Body): Promise<Project> {
  try {
    return (await call(client, resolveProject, { body })).project;
  } catch (error) {
    if (body.name === undefined || !isErrorOf(error, "auth_required")) throw error;
    return await listedProject(client, body.name.trim());
  }
}

/** Finds a project in the list of all projects, by GET, because a read-only daemon refuses all other methods. */
async function listedProject(client: Client, name: string): Promise<Project> {
  const { projects } = await call(client, listProjects, {});
  const found = projects.find((project) => project.name === name);
  if (found === undefined) throw new SvcError("project_not_initialized");
  return found;
}

/**
 * Finds the project of a workspace file, first by the name in the file. If no project has that name, finds it by the
 * identity of the repository or folder, which stays the same when the project is renamed or merged. The file then gets
 * the new name. The name comes first, because a name that a person has written into the file must not be changed back.
 */
async function byFile(client: Client, file: NonNullable<Workspace["file"]>): Promise<Project> {
  try {
    const project = await resolve(client, { name: file.project });
    if (project.name !== file.project) rewrite(file.root, project.name);
    return project;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    // The identity is that of the folder with the workspace file, not that of a folder inside it.
    const alias = (await identityAt(client, file.root)) ?? folderIdentity(client, file.root);
    if (alias === undefined) throw error;
    const project = await resolve(client, { alias });
    rewrite(file.root, project.name);
    return project;
  }
}

function rewrite(root: string, name: string): void {
  try {
    writeWorkspaceFile(root, name);
  } catch {
    // The file keeps the old name. The next command finds the project by the identity again.
  }
}

async function identityAt(client: Client, folder: string): Promise<Identity | undefined> {
  if (workTreeAround(folder) === undefined) return undefined;
  const { identityAround } = await import("./identity.ts");
  return await identityAround(folder, configuredProgramEnv(client.config));
}

/** The identity that `init` gives a folder without a repository. */
function folderIdentity({ target }: Client, root: string): Identity | undefined {
  if (target.kind === "remote") return undefined;
  return { identity: `local://${realPath(root)}`, kind: "local", root_path: root };
}

function isUnknown(error: unknown): error is SvcError {
  return isErrorOf(error, "project_not_initialized");
}

function isErrorOf(error: unknown, code: ErrorCode): error is SvcError {
  return error instanceof SvcError && error.code === code;
}

function withAdvice(
  error: SvcError,
  { workspace, config }: Client,
  name: string | undefined,
): SvcError {
  const wanted = name ?? workspace.overlay ?? workspace.file?.project;
  const message =
    wanted === undefined
      ? "this folder belongs to no project"
      : `there is no project ${JSON.stringify(wanted)}`;
  const source = name === config.settings.project ? "SVC_PROJECT names it; " : "";
  const hint =
    name === undefined
      ? "run svc init here"
      : `${source}svc projects list shows them; svc projects create makes one`;
  return new SvcError("project_not_initialized", error.data, { message, hint, cause: error });
}

/**
 * Where `svc init` binds a project. `root` is the folder of the existing workspace file, otherwise the root of the
 * repository, otherwise the folder in which the search started.
 */
export interface InitPlace {
  readonly root: string;
  readonly alias: Identity | undefined;
  /** The last part of the remote's URL, otherwise the folder's name. */
  readonly defaultName: string;
}

export async function initPlace(client: Client, start: string): Promise<InitPlace> {
  const root = client.workspace.file?.root ?? workTreeAround(start)?.root ?? start;
  const alias = await identityAt(client, root);
  const name = alias === undefined ? basename(root) : projectNameOf(alias.identity);
  return { root, alias, defaultName: name };
}
