import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * Creates a folder and its missing parents with this mode. Node's recursive `mkdir` is not used: where the file system
 * reports a missing folder and refuses to create it, as /proc does, `mkdir` tries again for ever.
 */
export function makeFolders(path: string, mode = 0o700): void {
  for (const folder of missingFrom(path)) makeFolder(folder, mode);
}

/** Returns the folders of the path that do not exist, outermost first. */
export function missingFrom(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  return missing;
}

/** Creates one folder. If another process has just created the same folder, that is no error. */
function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = errorCode(error) === "EEXIST";
    if (!isThere || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
