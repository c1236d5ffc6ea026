import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unopened } from "./input.ts";
import { brokenFileError } from "./refuse.ts";

export interface Tree {
  readonly root: string;
  /** Paths of files relative to `root`, with `/` as the separator, sorted. */
  readonly files: readonly string[];
  /** Symbolic links below `root`. They are not followed, since they may lead anywhere. */
  readonly links: readonly string[];
}

/**
 * The maximum number of files below the folder that is imported. No tracker has so many files. A folder with more files
 * is more likely a home folder.
 */
const MAX_FILES = 200_000;
const MAX_DEPTH = 16;

/** True for hidden folders and installed packages, which do not contain issues. */
function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/**
 * Finds all files below a folder whose names `wanted` accepts, except in hidden folders. If the path is a file, finds
 * only that file.
 */
export async function readTree(path: string, wanted: (name: string) => boolean): Promise<Tree> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unopened(path, cause);
  });
  if (!found.isDirectory()) return { root: dirname(path), files: [basename(path)], links: [] };
  const tree = { files: [] as string[], links: [] as string[] };
  await addFolder(path, "", 0, wanted, tree);
  tree.files.sort();
  tree.links.sort();
  return { root: path, ...tree };
}

async function addFolder(
  root: string,
  inside: string,
  depth: number,
  wanted: (name: string) => boolean,
  tree: { readonly files: string[]; readonly links: string[] },
): Promise<void> {
  const here = join(root, inside);
  const entries = await readdir(here, { withFileTypes: true }).catch((cause: unknown) => {
    throw unopened(here, cause);
  });
  for (const entry of entries) {
    const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isSymbolicLink()) tree.links.push(name);
    else if (entry.isDirectory()) {
      if (isHidden(entry.name)) continue;
      if (depth === MAX_DEPTH)
        throw brokenFileError({ file: name }, `deeper than ${MAX_DEPTH} folders`, NARROW_HINT);
      await addFolder(root, name, depth + 1, wanted, tree);
    } else if (entry.isFile() && wanted(entry.name)) {
      tree.files.push(name);
      if (tree.files.length > MAX_FILES)
        throw brokenFileError({ file: root }, `more than ${MAX_FILES} files`, NARROW_HINT);
    }
  }
}

const NARROW_HINT = "give the folder in which the other tracker keeps its issues";

/** Whether the path is a folder; false for a symbolic link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/**
 * Whether the path leads to a regular file. Callers check this before they open the path, because opening a pipe may
 * never return.
 */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
