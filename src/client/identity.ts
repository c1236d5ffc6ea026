import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Env } from "../config/env.ts";
import { realPath, statOf, type WorkTree, workTreeAround, workTreeAt } from "../config/git-dir.ts";
import { askGit, runGit } from "../config/git-run.ts";
import { userHome } from "../config/paths.ts";
import { findRemotes, type Remote } from "./git-config.ts";
import { readRemote } from "./remote-url.ts";

/**
 * What identifies a repository. It is the same in all its clones and work trees
 * (docs/contract/command-line.md#52-project).
 */
export interface Identity {
  /** `host/path` of a remote, or `local:///absolute/root`. */
  readonly identity: string;
  readonly kind: "git" | "local";
  readonly root_path: string;
}

export async function identityAround(folder: string, env: Env): Promise<Identity | undefined> {
  const tree = workTreeAround(folder);
  if (tree === undefined) return undefined;
  return { ...(await identityOf(tree, env)), root_path: tree.root };
}

/**
 * The maximum number of local clones that are followed to their origins. There is a limit because two clones may name
 * each other as their origin.
 */
const MAX_HOPS = 5;

async function identityOf(
  tree: WorkTree,
  env: Env,
  hops = 0,
): Promise<Omit<Identity, "root_path">> {
  const remote = await mainRemote(tree, env);
  const root = repositoryRoot(tree);
  if (remote === undefined) return localIdentity(root);
  const read = readRemote(remote, root);
  if (read.kind === "git") return { identity: read.identity, kind: "git" };
  // A clone of a local repository has the identity of that repository, which may have a remote of its own.
  const origin = workTreeAt(read.path) ?? bareAt(read.path);
  return origin === undefined || hops >= MAX_HOPS
    ? localIdentity(read.path)
    : await identityOf(origin, env, hops + 1);
}

function localIdentity(root: string): Omit<Identity, "root_path"> {
  return { identity: `local://${realPath(root)}`, kind: "local" };
}

/**
 * Returns the folder of the main work tree, even for a linked work tree. For a bare repository, returns the folder of
 * the repository.
 */
function repositoryRoot({ root, gitDir, commonDir }: WorkTree): string {
  if (gitDir === commonDir) return root;
  return basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
}

function bareAt(path: string): WorkTree | undefined {
  const folder = [path, `${path}.git`].find((candidate) => {
    return (
      statOf(join(candidate, "HEAD")) !== undefined &&
      statOf(join(candidate, "objects")) !== undefined
    );
  });
  return folder === undefined ? undefined : { root: folder, gitDir: folder, commonDir: folder };
}

/**
 * The URL of the remote `origin`, otherwise of the first remote. Runs git only if git's configuration files include
 * other files or rewrite URLs.
 */
async function mainRemote(tree: WorkTree, env: Env): Promise<string | undefined> {
  const own = textOf(join(tree.commonDir, "config")) ?? "";
  const remotes = findRemotes(own);
  const wider = [own, ...userConfigs(env)];
  if (!wider.some((text) => NEEDS_GIT.test(text))) return chooseRemote(remotes)?.url;
  return (await remoteByGit(tree.root, env)) ?? chooseRemote(remotes)?.url;
}

/**
 * Matches a configuration that only git can read correctly: `insteadOf` rewrites URLs, and included files may contain
 * remotes or `insteadOf`.
 */
const NEEDS_GIT = /insteadof|^[ \t]*\[[ \t]*include/im;

function userConfigs(env: Env): readonly string[] {
  const home = userHome(env);
  const xdg = env["XDG_CONFIG_HOME"];
  const folder = xdg === undefined || xdg === "" ? join(home, ".config") : xdg;
  const configured = env["GIT_CONFIG_GLOBAL"];
  const global =
    configured === undefined
      ? [join(home, ".gitconfig"), join(folder, "git", "config")]
      : [configured];
  return [...global, "/etc/gitconfig"].flatMap((path) => textOf(path) ?? []);
}

async function remoteByGit(root: string, env: Env): Promise<string | undefined> {
  const names = (await runGit(root, ["remote"], env)).output.split("\n");
  const name = names.includes("origin") ? "origin" : names[0];
  return name === undefined || name === ""
    ? undefined
    : await askGit(root, ["remote", "get-url", name], env);
}

function chooseRemote(remotes: readonly Remote[]): Remote | undefined {
  return remotes.find(({ name }) => name === "origin") ?? remotes[0];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
