import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Env } from "./env.ts";
import { workTreeAround } from "./git-dir.ts";
import { runGit } from "./git-run.ts";

/**
 * Whether git tracks the file: what it says then came with the repository, from whoever wrote that, and not from the
 * person at this machine. The index is searched for the path's bytes; only where that cannot decide, git is asked.
 */
export async function isTracked(path: string, env: Env): Promise<boolean> {
  const tree = workTreeAround(join(path, ".."));
  if (tree === undefined) return false;
  const index = readIndex(join(tree.gitDir, "index"));
  const name = relative(tree.root, path).split(sep).join("/");
  if (index === undefined || (!index.includes(name) && holdsWholePaths(index))) return false;
  const args = ["ls-files", "--error-unmatch", "--", name];
  // 1 is git's "no such file in the index"; where git cannot say, the file is taken for a stranger's.
  return (await runGit(tree.root, args, env)).status !== 1;
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
