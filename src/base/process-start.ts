import { readFileSync } from "node:fs";

/** Of a second, in /proc: a constant of the kernel's interface on every architecture that Node runs on. */
const TICKS = 100;

/** When the process of this pid began, in ms since 1970; undefined where the system does not say it in a file. */
export function processStartedMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in front may hold anything, brackets included; the start is the 20th word behind it.
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
    const startedMs = boot * 1000 + (ticks * 1000) / TICKS;
    return Number.isNaN(startedMs) ? undefined : startedMs;
  } catch {
    return undefined;
  }
}
