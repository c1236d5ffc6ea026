import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** What SQLite keeps beside a database's main file. */
const COMPANIONS = ["-wal", "-shm"] as const;

/**
 * Puts a finished database file in the place of another. The caller holds the database's lock and has closed both.
 * Until `check` has accepted the new one, the old one can be had back by its second name; if the process ends in
 * between, the place holds either the old file or the new one, whole.
 *
 * The old database was closed in order, so its companions are gone. Where they are not (something else still reads
 * it), and with `keepOld`, the whole set is put aside and stays: its path is the answer.
 */
export async function swapDatabase(
  from: string,
  to: string,
  { keepOld, check }: { readonly keepOld: boolean; readonly check: () => Promise<void> },
): Promise<string | undefined> {
  if (!existsSync(to)) {
    await rename(from, to);
    await syncFolderOf(to);
    return undefined;
  }
  const old = `${to}.before-import`;
  await removeDatabase(old);
  const left = COMPANIONS.filter((companion) => existsSync(to + companion));
  await link(to, old);
  for (const companion of left) await rename(to + companion, old + companion);
  try {
    await rename(from, to);
    await syncFolderOf(to);
    await check();
  } catch (error) {
    await removeCompanions(to);
    await rename(old, to);
    for (const companion of left) await rename(old + companion, to + companion);
    throw error;
  }
  if (keepOld || left.length > 0) return old;
  await rm(old);
  return undefined;
}

export async function removeDatabase(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeCompanions(path);
}

async function removeCompanions(path: string): Promise<void> {
  for (const companion of COMPANIONS) await rm(path + companion, { force: true });
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
