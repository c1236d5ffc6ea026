import { accessSync, chmodSync, constants } from "node:fs";
import { dirname } from "node:path";
import { codeSuffix } from "../../base/error-code.ts";
import { makeFolders } from "../../base/folders.ts";
import type { PathFault } from "../../config/path-fault.ts";
import { ownSocketFolders, privateFault, socketFault } from "../../config/private-path.ts";
import { StartError } from "../start-error.ts";

/**
 * Creates a folder and its missing parents so that only their owner may enter them. An existing folder is not changed.
 */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    const code = codeSuffix(cause);
    throw new StartError("home", `cannot make the folder ${path}${code}`, {
      hint: "svc needs a folder that it can write to: set SVC_HOME to one",
      cause,
    });
  }
}

export function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = codeSuffix(cause);
    throw new StartError("home", `${path} cannot be written to${code}`, {
      hint: "make it a folder that you can write to, or set SVC_HOME or SVC_DSN to another place",
      cause,
    });
  }
}

/**
 * Creates a folder that only its owner may enter. Throws if it belongs to another user, who could replace its files.
 */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  const open = privateFault(path);
  if (open?.ours === true) chmodSync(path, 0o700);
  const fault = privateFault(path);
  if (fault !== undefined) throw unsafePathError("home", fault);
}

/**
 * Creates the folders of the database's socket so that only their owner may enter them. Throws if such a folder exists
 * and other users have access to it.
 */
export function socketFolders(socket: string): void {
  const folders = ownSocketFolders(socket);
  for (const folder of folders) makePrivateFolder(folder);
  if (folders.length === 0) makePrivateFolder(dirname(socket));
  requireSafeSocket(socket);
}

export function requireSafeSocket(path: string): void {
  const fault = socketFault(path);
  if (fault !== undefined) throw unsafePathError("address", fault);
}

function unsafePathError(fault: "home" | "address", { path, what, hint }: PathFault): StartError {
  return new StartError(fault, `${path} ${what}`, { hint });
}
