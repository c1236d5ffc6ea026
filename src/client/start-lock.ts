import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { isAlive } from "./record.ts";

/**
 * Tries to take the start lock, and returns true if it was taken. The lock prevents several clients from starting the
 * daemon at the same time. The lock is a file with the pid of the client that starts the daemon. Two clients may still
 * take the lock at the same moment. Then two daemons start, and the daemon that does not get the database ends.
 */
export function takeStartLock(runtimeDir: string, clock: Clock, maxAgeMs: number): boolean {
  const path = pathIn(runtimeDir);
  if (create(path)) return true;
  if (!isLeftOver(path, clock, maxAgeMs)) return false;
  rmSync(path, { force: true });
  return create(path);
}

export function dropStartLock(runtimeDir: string): void {
  rmSync(pathIn(runtimeDir), { force: true });
}

function pathIn(runtimeDir: string): string {
  return join(runtimeDir, "starting");
}

function create(path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Whether the lock file is too old or was left by a client that has ended. For a file without a pid only the age
 * counts, because a client creates the file just before it writes its pid.
 */
function isLeftOver(path: string, clock: Clock, maxAgeMs: number): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0 && !isAlive(pid)) return true;
    return clock.nowMs() - statSync(path).mtimeMs > maxAgeMs;
  } catch {
    return false;
  }
}
