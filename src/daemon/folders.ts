import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { StartError } from "./start-error.ts";

/** Makes a folder, and those above it, for its owner alone. One that is there stays as it is. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new StartError("home", `cannot make the folder ${path}${code}`, {
      hint: "svc needs a folder that it can write to: set SVC_HOME to one",
      cause,
    });
  }
}

/**
 * A folder of ours that nobody else may enter. The one for sockets can lie below a shared one (/tmp), where anybody
 * may have made it first: whoever owns it could replace what is in it, so a folder of somebody else is refused.
 */
export function privateFolder(path: string): void {
  makeFolder(path);
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new StartError("home", `${path} is not a folder`);
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new StartError("home", `${path} belongs to another user`);
  }
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}
