import { readFileSync } from "node:fs";

/** A tick of `/proc/<pid>/stat`: Linux counts in hundredths of a second for programs. */
const SECONDS_PER_TICK = 0.01;

/** Processor time of all threads of a process, also of those that have ended. */
export function processorSeconds(pid: number): number {
  return sumOf(String(pid), "utime");
}

/** Processor time of the processes that this one has started and that have ended. */
export function endedChildrenSeconds(): number {
  return sumOf("self", "cutime");
}

/** The time in user mode, in the given field of proc(5), and the time in the kernel, in the field behind it. */
function sumOf(pid: string, first: "utime" | "cutime"): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program is in brackets and may contain spaces. The first field behind it is number 3.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = { utime: 14, cutime: 16 }[first] - 3;
  return (Number(fields[at]) + Number(fields[at + 1])) * SECONDS_PER_TICK;
}
