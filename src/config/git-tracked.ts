import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { workTreeAround } from "./git-dir.ts";

/**
 * Whether git tracks the file: what it says then came with the repository, from whoever wrote that, and not from the
 * person at this machine. The index is searched for the path's bytes; only where that cannot decide, git is asked.
 */
export async function isTracked(path: string): Promise<boolean> {
  const tree = workTreeAround(join(path, ".."));
  if (tree === undefined) return false;
  const index = readIndex(join(tree.gitDir, "index"));
  const name = relative(tree.root, path).split(sep).join("/");
  if (index === undefined || (!index.includes(name) && holdsWholePaths(index))) return false;
  return (await askGit(tree.root, name)) ?? true;
}

function readIndex(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Version 4 shortens paths, a `link` extension keeps entries in another file, `sdir` folds whole folders into one entry. */
function holdsWholePaths(index: Buffer): boolean {
  const version = index.length < 12 ? 0 : index.readUInt32BE(4);
  return (version === 2 || version === 3) && !index.includes("link") && !index.includes("sdir");
}

async function askGit(root: string, name: string): Promise<boolean | undefined> {
  const { spawnSync } = await import("node:child_process");
  const args = ["-C", root, "ls-files", "--error-unmatch", "--", name];
  const { status } = spawnSync("git", args, { stdio: "ignore" });
  // 1 is git's "no such file in the index"; anything else means that git could not say.
  if (status === 0 || status === 1) return status === 0;
  return undefined;
}
