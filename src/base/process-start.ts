import { readFileSync } from "node:fs";

/** Ticks per second in /proc: constant on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Start time of a process in ms since 1970; `undefined` where the system has no /proc. */
export function processStartedMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name may contain brackets, so count from the last one: the start time is the 20th field after it.
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
    const startedMs = boot * 1000 + (ticks * 1000) / TICKS_PER_SECOND;
    return Number.isNaN(startedMs) ? undefined : startedMs;
  } catch {
    return undefined;
  }
}
