import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A git work tree. svc reads git's files to find it, because running git takes as long as a whole svc command. */
export interface WorkTree {
  readonly root: string;
  /** This work tree's own git folder (index, HEAD). */
  readonly gitDir: string;
  /** The folder that all work trees of the repository share (config); equals `gitDir` outside linked work trees. */
  readonly commonDir: string;
}

export function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Resolves links. A path that does not exist only becomes absolute. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

export function workTreeAt(folder: string): WorkTree | undefined {
  const entry = join(folder, ".git");
  const found = statOf(entry);
  if (found === undefined) return undefined;
  const gitDir = found.isDirectory() ? entry : linkedDir(entry);
  return gitDir === undefined
    ? undefined
    : { root: folder, gitDir, commonDir: commonDirOf(gitDir) };
}

export function workTreeAround(start: string): WorkTree | undefined {
  return firstUpwards(start, workTreeAt);
}

/** `.git` of a linked work tree or a submodule is a file: `gitdir: <path>`. */
function linkedDir(file: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(textOf(file) ?? "")?.[1];
  return target === undefined ? undefined : resolve(dirname(file), target.trim());
}

function commonDirOf(gitDir: string): string {
  const target = textOf(join(gitDir, "commondir"))?.trim();
  return target === undefined || target === "" ? gitDir : resolve(gitDir, target);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

export function firstUpwards<T>(
  start: string,
  look: (folder: string) => T | undefined,
): T | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const found = look(folder);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}
