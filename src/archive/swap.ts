import { constants, existsSync } from "node:fs";
import { copyFile, link, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Instant } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { removeFiles, syncFile, syncFolder } from "../base/files.ts";
import { SvcError } from "../contract/errors.ts";

/** Suffixes of the files that SQLite keeps beside a database. */
const COMPANIONS = ["-wal", "-shm"] as const;

export interface SwapOptions {
  /** The current time, for the name under which the replaced database is kept. */
  readonly now: Instant;
  /** True if the replaced database is empty, so that it is removed and not kept. */
  readonly drop: boolean;
  /** Called after the swap. If it throws because the new database cannot be used, the swap is undone. */
  readonly check: () => Promise<void>;
}

/**
 * Replaces the database file `to` by the finished database file `from`. Returns the path under which the old database
 * is kept, or undefined if it is not kept. If the process is killed during the swap, `to` is either the complete old
 * database or the complete new one. The caller holds the lock of `to`, has closed both databases, and has written the
 * WAL of the old database back.
 */
export async function swapDatabase(
  from: string,
  to: string,
  { now, drop, check }: SwapOptions,
): Promise<string | undefined> {
  if (!existsSync(to)) {
    await rename(from, to);
    syncFolder(dirname(to));
    return undefined;
  }
  const old = await keepOldFile(to, `${to}.before-import-${now.replaceAll(/[-:]/g, "")}`);
  try {
    await removeCompanions(to);
    await rename(from, to);
    syncFolder(dirname(to));
    await check();
  } catch (error) {
    await removeCompanions(to);
    await rename(old, to);
    for (const companion of COMPANIONS)
      if (existsSync(old + companion)) await rename(old + companion, to + companion);
    throw error;
  }
  if (!drop) return old;
  await removeDatabase(old);
  return undefined;
}

/**
 * Gives a database and the files that SQLite keeps beside it a second name, and returns the name. An existing file is
 * never overwritten: if the wanted name is taken, the next free number is appended.
 */
async function keepOldFile(path: string, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const taken = ["", ...COMPANIONS].some((end) => existsSync(name + end));
    if (taken || !(await linkFile(path, name))) continue;
    for (const companion of COMPANIONS)
      if (existsSync(path + companion)) await linkFile(path + companion, name + companion);
    syncFolder(dirname(name));
    return name;
  }
}

/**
 * Gives a file a second name by a hard link, or by a copy if the file system has no hard links. Returns false if the
 * name is taken.
 */
async function linkFile(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      await copyFile(path, name, constants.COPYFILE_EXCL);
      syncFile(name);
    });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Throws `conflict` if the WAL of a closed database is not empty. Another program then has the file open, and the pages
 * in the WAL would be lost or applied to the new database.
 */
export async function requireSettled(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if (log === undefined || log.size === 0) return;
  throw new SvcError(
    "conflict",
    { path },
    {
      message: `another program is reading ${path}; nothing was replaced`,
      hint: "close it (a database browser, a sqlite3 shell, svc export), then import again",
    },
  );
}

/** The path at which the new database is built, until it replaces the old one. */
export function importFileOf(path: string): string {
  return `${path}.import-${process.pid}`;
}

/** Removes the databases that killed imports left behind. The caller holds the lock, so no import is running. */
export function removeImportFiles(path: string): void {
  removeFiles(`${path}.import-`, /^\d+(\.new-\d+)?(-wal|-shm|-journal)?$/);
}

export async function removeDatabase(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeCompanions(path);
}

async function removeCompanions(path: string): Promise<void> {
  for (const companion of COMPANIONS) await rm(path + companion, { force: true });
}
