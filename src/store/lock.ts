import { chmodSync, statSync } from "node:fs";
import Database from "better-sqlite3";

/** A file lock that lasts until `release` or until the process ends, even by a crash. */
export interface Lock {
  /**
   * Whether the path still leads to the locked file. After the file is deleted, another process could create and lock a
   * new one.
   */
  held(): boolean;
  release(): void;
}

/**
 * Takes a lock that ends with the process. Returns `undefined` when another process has it. Node has no flock, so the
 * lock is an open exclusive transaction on a small SQLite database
 * (docs/contract/command-line.md#45-starting-by-a-command). No other code in this process may open and close the file:
 * on POSIX, closing any descriptor of it drops the lock.
 */
export function tryLock(path: string): Lock | undefined {
  const db = new Database(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    // Nothing is ever rolled back, so no journal file is needed beside the lock file.
    db.pragma("journal_mode = memory");
    db.exec("begin exclusive");
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      return undefined;
    throw error;
  }
  heldLocks.add(db);
  const locked = statSync(path, { throwIfNoEntry: false });
  return {
    held: () => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found !== undefined && found.ino === locked?.ino && found.dev === locked.dev;
    },
    release: () => {
      heldLocks.delete(db);
      db.close();
    },
  };
}

/**
 * The databases of the locks that this process has. Without this reference, the garbage collector would close a
 * database and drop its lock while the daemon runs.
 */
const heldLocks = new Set<Database.Database>();
