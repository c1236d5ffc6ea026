import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolders } from "../base/folders.ts";
import { realDatabasePath } from "./database-path.ts";

/** What SQLite keeps beside a database's main file. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/**
 * Makes a SQLite database beside its place and links it there when it is whole: who is killed meanwhile, or finds the
 * disk full, leaves no half database. What appears at the place meanwhile stays, and is opened like any other file.
 * The caller holds the database's lock.
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
    sync(temp, "r+");
    putCompanionsAside(path);
    moveIntoPlace(temp, path);
    syncFolder(dirname(path));
  } finally {
    removeTempFile(temp);
  }
}

/** Temporary files of first starts that were killed. The caller holds the database's lock, so nobody works on one of them. */
export function removeLeftTempFiles(dsnPath: string): void {
  const path = realDatabasePath(dsnPath);
  const prefix = `${basename(path)}.new-`;
  for (const name of readdirSync(dirname(path))) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (/^\d+(?:-wal|-shm|-journal)?$/.test(rest))
      rmSync(join(dirname(path), name), { force: true });
  }
}

/**
 * An import that is killed while it puts its database in the place of another leaves the other with two names: its own,
 * and the one under which it was to be kept. The caller holds the database's lock.
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

/** A second name never replaces a file. File systems without second names get a renaming, under the daemon's lock. */
function moveIntoPlace(temp: string, path: string): void {
  try {
    linkSync(temp, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EEXIST") return;
    if (!NO_LINKS.has(code)) throw error;
    if (!existsSync(path)) renameSync(temp, path);
  }
}

const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);

/**
 * The log of a database that was deleted or moved away is not one of the new database, and SQLite would read it into
 * it. It may hold commits of the old one, so it stays under another name.
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

/** `name`, `name.2`, `name.3` and so on. */
export function unusedName(name: string): string {
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${name}.${count}`;
    if (!existsSync(tried)) return tried;
  }
}

function removeTempFile(temp: string): void {
  for (const companion of ["", ...COMPANIONS]) rmSync(temp + companion, { force: true });
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  if (process.platform !== "win32") sync(folder, "r");
}
