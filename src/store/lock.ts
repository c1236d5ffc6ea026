import { chmodSync, statSync } from "node:fs";
import Database from "better-sqlite3";

/** Held until `release` or the end of the process, however it ends. */
export interface Lock {
  /** Whether the path still names the file that is locked: who finds none there makes and locks another. */
  held(): boolean;
  release(): void;
}

/**
 * Takes a lock that dies with the process, or gives `undefined` when another holds it. Node has no flock: an open
 * exclusive transaction on a database of its own is one, on every system (facts cli-and-config 4.5).
 *
 * Nothing else may open or close the file inside this process: closing any descriptor of it drops the lock (POSIX).
 */
export function tryLock(path: string): Lock | undefined {
  const db = new Database(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    // There is nothing to roll back, and a journal beside the lock would only be litter.
    db.pragma("journal_mode = memory");
    db.exec("begin exclusive");
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      return undefined;
    throw error;
  }
  held.add(db);
  const locked = statSync(path, { throwIfNoEntry: false });
  return {
    held: () => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found !== undefined && found.ino === locked?.ino && found.dev === locked.dev;
    },
    release: () => {
      held.delete(db);
      db.close();
    },
  };
}

/** A database that nothing refers to is closed by the collector, and its lock with it, while its daemon still runs. */
const held = new Set<Database.Database>();
