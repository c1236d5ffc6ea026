import { join } from "node:path";
import type { Env } from "../../config/env.ts";
import { firstUpwards, statOf } from "../../config/git-dir.ts";
import { WORKSPACE_FILE } from "../../config/workspace.ts";
import { usage } from "../failure/failure.ts";
import { type Host, type Scope, scopesOf } from "./hosts.ts";

/**
 * The nearest folder, from `start` upwards, that contains a workspace file of svc or `.git`. In this folder hosts look
 * for a project's file.
 */
export function projectRoot(start: string): string | undefined {
  return firstUpwards(start, (folder) => {
    const isRoot = [WORKSPACE_FILE, ".git"].some(
      (name) => statOf(join(folder, name)) !== undefined,
    );
    return isRoot ? folder : undefined;
  });
}

/**
 * Returns the requested scope. Throws if the host has files only for other scopes. Without a request, returns `project`
 * if the host reads a file in a project's folder, otherwise `user`.
 */
export function scopeOf(host: Host, requested: Scope | undefined): Scope {
  const scopes = scopesOf(host);
  const [first = "user"] = scopes;
  if (requested === undefined || scopes.length === 0 || scopes.includes(requested))
    return requested ?? first;
  throw usage(`${host.title} has no file for --scope ${requested}`, `use --scope ${first}`);
}

/**
 * The file of a host in this scope, seen from the folder `start`. The path is `undefined` if the host has no file for
 * this scope, or if its place is unknown.
 */
export function placeOf(
  host: Host,
  scope: Scope,
  start: string,
  env: Env,
): { readonly path: string | undefined; readonly root: string | undefined } {
  const root = projectRoot(start);
  const { projectFile, userFile } = host;
  const inProject = projectFile === undefined ? undefined : join(root ?? start, projectFile);
  return { root, path: scope === "project" ? inProject : userFile?.(env, process.platform) };
}
