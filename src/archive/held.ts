import { existsSync } from "node:fs";
import { SvcError } from "../contract/errors.ts";
import { realDatabasePath } from "../store/database-path.ts";
import { type Lock, tryLock } from "../store/lock.ts";

/** The lock of a SQLite database's one daemon (facts cli-and-config 3.4); refused when a daemon has it. */
export function lockDatabase(path: string): Lock {
  const lock = tryLock(lockPath(path));
  if (lock !== undefined) return lock;
  throw new SvcError(
    "conflict",
    {},
    { message: "a daemon is running on this database", hint: "stop it first: svc daemon stop" },
  );
}

/** The same without keeping it. Where no lock was ever made nobody holds it, and none is made to find out. */
export function requireUnserved(path: string): void {
  const real = realDatabasePath(path);
  if (existsSync(lockPath(real))) lockDatabase(real).release();
}

function lockPath(path: string): string {
  return `${path}.daemon.lock`;
}
