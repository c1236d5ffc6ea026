import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The maximum number of symbolic links to follow, since they may form a cycle. */
const MOST_LINKS = 40;

/**
 * Resolves symbolic links in a database path, even if the file does not exist yet, so that all names of one file give
 * the same lock.
 */
export function realDatabasePath(path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (existsSync(at)) return realpathSync(at);
    const folder = dirname(at);
    const real = existsSync(folder) ? join(realpathSync(folder), basename(at)) : at;
    if (lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return real;
    at = resolve(dirname(real), readlinkSync(real));
  }
  return path;
}
