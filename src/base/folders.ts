import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are missing, for their owner alone unless a mode is given. Node's own
 * recursive `mkdir` never ends where the file system says that a folder is missing and lets none be made, as /proc does.
 */
export function makeFolders(path: string, mode = 0o700): void {
  for (const folder of missingFrom(path)) makeFolder(folder, mode);
}

/** The folders that are not there, from the outermost down. */
export function missingFrom(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  return missing;
}

/** Another process may make it at the same time. */
function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
