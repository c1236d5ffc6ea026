import { existsSync } from "node:fs";
import { SvcError } from "../contract/errors.ts";
import { type Lock, tryLock } from "../store/lock.ts";
import { realDatabasePath } from "../store/sqlite/database-path.ts";

/**
 * Takes the lock of a SQLite database, which its daemon holds while it runs (docs/contract/command-line.md#34-files).
 * Throws `conflict` if a daemon is running.
 */
export function lockDatabase(path: string): Lock {
  const lock = tryLock(lockPath(path));
  if (lock !== undefined) return lock;
  throw new SvcError(
    "conflict",
    {},
    { message: "a daemon is running on this database", hint: "stop it first: svc daemon stop" },
  );
}

/**
 * Throws `conflict` if a daemon serves the database, and does not keep the lock. If there is no lock file, no daemon
 * has ever run on the database; the check does not create the file.
 */
export function requireUnserved(path: string): void {
  const real = realDatabasePath(path);
  if (existsSync(lockPath(real))) lockDatabase(real).release();
}

function lockPath(path: string): string {
  return `${path}.daemon.lock`;
}
