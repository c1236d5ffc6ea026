import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { folderWith } from "../../config/folder.ts";

/** The program of tests whose answer depends on its first argument. */
export const ANSWERS = join(import.meta.dirname, "answers.mjs");

/**
 * A path beside which the programs of `answers.mjs` write the numbers of their processes, as the endings of file names.
 */
export function marks(): string {
  const path = join(folderWith(), "pid");
  // End what a failed test left, and what left its process group.
  onTestFinished(() => {
    for (const pid of runningOf(path)) process.kill(pid, "SIGKILL");
  });
  return path;
}

/** How many processes have written their numbers. */
export function startedOf(path: string): number {
  return pidsOf(path).length;
}

export function runningOf(path: string): readonly number[] {
  return pidsOf(path).filter(isRunning);
}

/** Waits at most two seconds until no process runs, and returns those that still run. */
export async function untilGone(path: string): Promise<readonly number[]> {
  for (let tries = 0; tries < 100 && runningOf(path).length > 0; tries++)
    await systemClock.sleep(20);
  return runningOf(path);
}

/** A process in a group of its own that does nothing for a minute. */
export function sleeper(): ChildProcess {
  return spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
}

function pidsOf(path: string): readonly number[] {
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .map((name) => Number(name.split(".").at(-1)));
}

/** Whether a process runs, or one of a group if the number is negative. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
