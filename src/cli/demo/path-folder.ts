import { realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Env } from "../../config/env.ts";
import { isProgram } from "../../config/find-program.ts";

/**
 * Returns the folder that a shell needs in its PATH, so that `svc` in it is the running program; `undefined` if it is
 * already. The folders that npm and npx add to the PATH of what they run are not counted, since the shell from which
 * they were started does not have them.
 *
 * @param launcher `bin/run.js` or `bin/dev.js` of the running program, without links in its path
 */
export function folderForPath(launcher: string, env: Env): string | undefined {
  const bin = dirname(launcher);
  const found = (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfNpm(folder))
    .map((folder) => join(folder, "svc"))
    .find(isProgram);
  return found !== undefined && realpathSync(found) === join(bin, "svc") ? undefined : bin;
}

function isOfNpm(folder: string): boolean {
  return folder.replace(/[\\/]$/, "").endsWith(join("node_modules", ".bin"));
}
