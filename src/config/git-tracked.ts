import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Env } from "./env.ts";
import { workTreeAround } from "./git-dir.ts";
import { runGit } from "./git-run.ts";

/**
 * Whether git tracks the file. The content of such a file came with the repository and not from the user of this
 * machine. Searches git's index for the path, and runs git only if the index cannot decide.
 */
export async function isTracked(path: string, env: Env): Promise<boolean> {
  const tree = workTreeAround(join(path, ".."));
  if (tree === undefined) return false;
  const index = readIndex(join(tree.gitDir, "index"));
  const name = relative(tree.root, path).split(sep).join("/");
  if (index === undefined || (!index.includes(name) && holdsWholePaths(index))) return false;
  const args = ["ls-files", "--error-unmatch", "--", name];
  // Status 1 means that the index has no such file. If git cannot say, the file counts as tracked, so it is not
  // trusted.
  return (await runGit(tree.root, args, env)).status !== 1;
}

function readIndex(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether git's index stores whole paths. Version 4 shortens them. The extension `link` says that entries are in
 * another file, and `sdir` that one entry can stand for a whole folder.
 */
function holdsWholePaths(index: Buffer): boolean {
  const version = index.length < 12 ? 0 : index.readUInt32BE(4);
  return (version === 2 || version === 3) && !index.includes("link") && !index.includes("sdir");
}
