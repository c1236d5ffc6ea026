import { readFileSync } from "node:fs";

/** The unit of the times in `/proc/<pid>/stat`: Linux reports them in hundredths of a second. */
const SECONDS_PER_TICK = 0.01;

/** Processor time of all threads of a process in seconds, also of threads that have ended. */
export function processorSeconds(pid: number): number {
  return sumOf(String(pid), "utime");
}

/** Processor time in seconds of all processes that this process has started and that have ended. */
export function endedChildrenSeconds(): number {
  return sumOf("self", "cutime");
}

/** Returns the sum of two neighbouring fields of `/proc/<pid>/stat`, the user time and the kernel time, in seconds. */
function sumOf(pid: string, first: "utime" | "cutime"): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name, in brackets, and may contain spaces. So `fields` begins with field 3.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = { utime: 14, cutime: 16 }[first] - 3;
  return (Number(fields[at]) + Number(fields[at + 1])) * SECONDS_PER_TICK;
}
