import { accessSync, chmodSync, constants } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../base/folders.ts";
import {
  foretoldFolders,
  type PathFault,
  privateFault,
  socketFault,
} from "../config/private-path.ts";
import { StartError } from "./start-error.ts";

/** Makes a folder, and those above it, for its owner alone. One that is there stays as it is. */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new StartError("home", `cannot make the folder ${path}${code}`, {
      hint: "svc needs a folder that it can write to: set SVC_HOME to one",
      cause,
    });
  }
}

/** A folder in which files can be made, or the refusal that says what to do. */
export function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new StartError("home", `${path} cannot be written to${code}`, {
      hint: "make it a folder that you can write to, or set SVC_HOME or SVC_DSN to another place",
      cause,
    });
  }
}

/** A folder of ours that nobody else may enter. One of somebody else is refused, since they could replace what is in it. */
export function privateFolder(path: string): void {
  makeFolder(path);
  const open = privateFault(path);
  if (open?.ours === true) chmodSync(path, 0o700);
  const fault = privateFault(path);
  if (fault !== undefined) throw unsafe("home", fault);
}

/** Makes the folders of the database's own socket, each for us alone, and refuses a place that others can get at. */
export function socketFolders(socket: string): void {
  const folders = foretoldFolders(socket);
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
