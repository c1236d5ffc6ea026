import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./error-code.ts";

/** Gives a finished file its final name. Returns false, and replaces nothing, if a file already has this name. */
export function placeNew(temp: string, path: string): boolean {
  try {
    linkSync(temp, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST" || !reserve(path)) return false;
    renameOver(temp, path);
    return true;
  }
  rmSync(temp);
  return true;
}

/**
 * Reserves a name by creating an empty file, which `renameOver` then replaces. Used on file systems without hard links.
 */
function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function renameOver(temp: string, reserved: string): void {
  try {
    renameSync(temp, reserved);
  } catch (error) {
    rmSync(reserved);
    throw error;
  }
}

/**
 * Returns the first of `name`, `name.2`, `name.3` and so on that does not exist. A broken symbolic link counts as
 * existing.
 */
export function unusedName(name: string): string {
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${name}.${count}`;
    if (lstatSync(tried, { throwIfNoEntry: false }) === undefined) return tried;
  }
}

/** Removes the files whose paths begin with `start` and continue with text that `rest` matches. */
export function removeFiles(start: string, rest: RegExp): void {
  const prefix = basename(start);
  for (const name of readdirSync(dirname(start)))
    if (name.startsWith(prefix) && rest.test(name.slice(prefix.length)))
      rmSync(join(dirname(start), name), { force: true });
}

export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Forces the names in a folder to the disk, after a file was created or renamed in it. Windows cannot do this. */
export function syncFolder(folder: string): void {
  if (process.platform !== "win32") sync(folder, "r");
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
