import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The path of a database file with all symbolic links resolved. The file itself need not exist. */
export function realDatabase(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realFolder(dirname(path)), basename(path));
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
