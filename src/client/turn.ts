import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { isAlive } from "./record.ts";

/**
 * Whose turn it is to start the daemon: a file with the client's pid, made by whoever finds none. It is a courtesy and
 * no lock: when two take a turn, two children start and one of them ends.
 */
export function takeTurn(runtimeDir: string, clock: Clock, maxAgeMs: number): boolean {
  const path = turnPath(runtimeDir);
  if (create(path)) return true;
  if (!isLeftOver(path, clock, maxAgeMs)) return false;
  rmSync(path, { force: true });
  return create(path);
}

export function dropTurn(runtimeDir: string): void {
  rmSync(turnPath(runtimeDir), { force: true });
}

function turnPath(runtimeDir: string): string {
  return join(runtimeDir, "starting");
}

function create(path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Left by a client that was killed. The pid is written just after the file appears, so an empty one is fresh. */
function isLeftOver(path: string, clock: Clock, maxAgeMs: number): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (pid > 0 && !isAlive(pid)) return true;
    return clock.nowMs() - statSync(path).mtimeMs > maxAgeMs;
  } catch {
    return false;
  }
}
