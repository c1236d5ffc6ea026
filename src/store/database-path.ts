import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Links that lead to each other would be followed without end. */
const MOST_LINKS = 40;

/**
 * The file that a database's path leads to, through links, whether it is there yet or not. Two names of one file must
 * give one lock, also before the file is made behind a link that leads nowhere yet.
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
