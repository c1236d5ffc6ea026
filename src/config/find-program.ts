import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Env, isSet } from "./env.ts";
import { type PathFault, pathFault } from "./path-fault.ts";

export type FoundProgram =
  | { readonly path: string | undefined }
  /** The program exists, but other users could replace it. */
  | { readonly fault: PathFault };

/**
 * Finds a program in the folders of PATH. Ignores folders that are not absolute, since they depend on the working
 * folder.
 */
export function findProgram(name: string, env: Env): FoundProgram {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (!isSet(folder) || !isAbsolute(folder)) continue;
    const path = join(folder, file);
    if (!isProgram(path)) continue;
    const fault = pathFault(path, `remove ${folder} from the PATH of the daemon`);
    return fault === undefined ? { path } : { fault };
  }
  return { path: undefined };
}

/** Whether this is a file that the user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
