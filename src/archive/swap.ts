import { constants, existsSync } from "node:fs";
import { copyFile, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Instant } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";

/** What SQLite keeps beside a database's main file. */
const COMPANIONS = ["-wal", "-shm"] as const;

export interface Swap {
  /** Names the copy of what was there. */
  readonly now: Instant;
  /** The replaced database holds nothing: it is not kept. */
  readonly drop: boolean;
  /** Throws when the new database, in its place, cannot be used: then the old one comes back. */
  readonly check: () => Promise<void>;
}

/**
 * Puts a finished database file in the place of another, which is kept under a name of its own: that is the answer.
 * The caller holds the database's lock, has closed both, and has made sure that the old main file is all there is of
 * a database of ours. If the process ends in between, the place holds the old database or the new one, whole.
 */
export async function swapDatabase(
  from: string,
  to: string,
  { now, drop, check }: Swap,
): Promise<string | undefined> {
  if (!existsSync(to)) {
    await rename(from, to);
    await syncFolderOf(to);
    return undefined;
  }
  const old = await keep(to, `${to}.before-import-${now.replaceAll(/[-:]/g, "")}`);
  try {
    await removeCompanions(to);
    await rename(from, to);
    await syncFolderOf(to);
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

/** Gives a database a second name, companions included. A name that is taken is left alone. */
async function keep(path: string, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const taken = ["", ...COMPANIONS].some((end) => existsSync(name + end));
    if (taken || !(await linked(path, name))) continue;
    for (const companion of COMPANIONS)
      if (existsSync(path + companion)) await linked(path + companion, name + companion);
    await syncFolderOf(name);
    return name;
  }
}

/** False when the name is taken. A file system without second names gets a copy. */
async function linked(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      await copyFile(path, name, constants.COPYFILE_EXCL);
      await syncFile(name);
    });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * After a database of ours was closed its log is empty or gone. Where it is not, another program reads the file, and
 * what it still has to write back would be lost or, worse, be taken for changes of the new database.
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

/** The name of the database that an import makes before it takes its place. */
export function importFileOf(path: string): string {
  return `${path}.import-${process.pid}`;
}

/** What imports that were killed left behind; the caller holds the lock, so none is at work. */
export async function removeImportFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.import-`;
  for (const name of await readdir(folder).catch(() => []))
    if (
      name.startsWith(start) &&
      /^\d+(\.new-\d+)?(-wal|-shm|-journal)?$/.test(name.slice(start.length))
    )
      await rm(join(folder, name), { force: true });
}

export async function removeDatabase(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeCompanions(path);
}

async function removeCompanions(path: string): Promise<void> {
  for (const companion of COMPANIONS) await rm(path + companion, { force: true });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
