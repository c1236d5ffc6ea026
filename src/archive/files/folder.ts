import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unopened } from "../input.ts";
import { broken } from "./refuse.ts";

/** What a reader is pointed at: the files below a folder, or one file. */
export interface Tree {
  /** The folder that the paths are in. */
  readonly root: string;
  /** Paths of files from the root, with `/`, in the order of their characters. */
  readonly files: readonly string[];
  /** Symbolic links below the root. They are not followed: what they name may be anywhere. */
  readonly links: readonly string[];
}

/** No tracker keeps so many; what is pointed at is more likely a home folder. */
const MAX_FILES = 200_000;
const MAX_DEPTH = 16;

/** Folders of other tools: templates, caches, installed packages. */
function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** All files below a folder whose names `wanted` accepts, hidden folders left out; for a file, that file alone. */
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
        throw broken({ file: name }, `deeper than ${MAX_DEPTH} folders`, NARROW);
      await addFolder(root, name, depth + 1, wanted, tree);
    } else if (entry.isFile() && wanted(entry.name)) {
      tree.files.push(name);
      if (tree.files.length > MAX_FILES)
        throw broken({ file: root }, `more than ${MAX_FILES} files`, NARROW);
    }
  }
}

const NARROW = "give the folder in which the other tracker keeps its issues";

/** Whether there is a folder of this name; a symbolic link is none. */
export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Whether there is a regular file of this name: opening a pipe would wait for a writer for ever. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
