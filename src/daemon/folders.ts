import { accessSync, chmodSync, constants } from "node:fs";
import { dirname } from "node:path";
import { codeSuffix } from "../base/error-code.ts";
import { makeFolders } from "../base/folders.ts";
import {
  ownSocketFolders,
  type PathFault,
  privateFault,
  socketFault,
} from "../config/private-path.ts";
import { StartError } from "./start-error.ts";

/** Creates a folder and its parents for its owner alone; an existing one stays as it is. */
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

/** Throws a `StartError` with the remedy when no file can be created in the folder. */
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

/** Creates a folder that only its owner may enter. Throws for a folder of another user, who could replace its files. */
export function privateFolder(path: string): void {
  makeFolder(path);
  const open = privateFault(path);
  if (open?.ours === true) chmodSync(path, 0o700);
  const fault = privateFault(path);
  if (fault !== undefined) throw unsafe("home", fault);
}

/**
 * Creates the folders of the database's own socket for the owner alone. Throws if other users have access to an
 * existing one.
 */
export function socketFolders(socket: string): void {
  const folders = ownSocketFolders(socket);
  for (const folder of folders) privateFolder(folder);
  if (folders.length === 0) privateFolder(dirname(socket));
  requireSafeSocket(socket);
}

export function requireSafeSocket(path: string): void {
  const fault = socketFault(path);
  if (fault !== undefined) throw unsafe("address", fault);
}

function unsafe(fault: "home" | "address", { path, what, cure }: PathFault): StartError {
  return new StartError(fault, `${path} ${what}`, { hint: cure });
}
