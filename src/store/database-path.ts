import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Ends the search where symbolic links form a cycle. */
const MOST_LINKS = 40;

/**
 * Resolves symbolic links in a database path, also when the file does not exist yet. Two names of one file must give
 * the same lock, even while a link still has no target.
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
