import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { placeNew, removeFiles, syncFile, syncFolder, unusedName } from "../../base/files.ts";
import { makeFolders } from "../../base/folders.ts";
import { realDatabasePath } from "./database-path.ts";

const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Creates a SQLite database under a temporary name. Links it to its path when it is complete, so that a kill or a full
 * disk leaves no partial database. If a file appears at the path in between, this file is kept and opened. The caller
 * holds the database's lock.
 */
export async function createDatabase(
  dsnPath: string,
  fill: (temp: string) => Promise<void>,
): Promise<void> {
  const path = realDatabasePath(dsnPath);
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  const temp = `${path}.new-${process.pid}`;
  try {
    removeTempFile(temp);
    await fill(temp);
    syncFile(temp);
    putCompanionsAside(path);
    placeNew(temp, path);
    syncFolder(dirname(path));
  } finally {
    removeTempFile(temp);
  }
}

/** Deletes temporary files of killed first starts. None is in use, since the caller has the database's lock. */
export function removeLeftTempFiles(dsnPath: string): void {
  removeFiles(`${realDatabasePath(dsnPath)}.new-`, /^\d+(?:-wal|-shm|-journal)?$/);
}

/**
 * Deletes the second name of a database file. An import that is killed while it replaces a database leaves the file
 * with two names: its own and the name of the backup. The caller holds the database's lock.
 */
export function removeSecondNames(dsnPath: string): void {
  const path = realDatabasePath(dsnPath);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.nlink < 2) return;
  const prefix = `${basename(path)}.before-import-`;
  for (const name of readdirSync(dirname(path))) {
    const kept = join(dirname(path), name);
    if (!name.startsWith(prefix) || !isSameFile(kept, path)) continue;
    for (const companion of ["", ...COMPANIONS])
      if (isSameFile(kept + companion, path + companion)) rmSync(kept + companion);
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/**
 * Renames the log of a database that was deleted or moved away, since SQLite would replay it into the new database. The
 * log is kept, because it may contain commits of the old database.
 */
function putCompanionsAside(path: string): void {
  rmSync(`${path}-shm`, { force: true });
  for (const companion of ["-wal", "-journal"] as const) {
    const found = statSync(path + companion, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.size === 0) rmSync(path + companion);
    else renameSync(path + companion, unusedName(`${path}${companion}.orphaned`));
  }
}

function removeTempFile(temp: string): void {
  for (const companion of ["", ...COMPANIONS]) rmSync(temp + companion, { force: true });
}
