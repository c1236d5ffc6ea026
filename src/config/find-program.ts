import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Env, isSet } from "./env.ts";
import { type PathFault, pathFault } from "./path-fault.ts";

export type FoundProgram =
  | { readonly path: string | undefined }
  /** The program is there, and other users could exchange it. */
  | { readonly fault: PathFault };

/** Finds a program by the folders in PATH. Folders that are not absolute are left out: they depend on where one stands. */
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
