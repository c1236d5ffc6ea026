import { setFlagsFromString } from "node:v8";

/**
 * Limits the growth of the heap while a command works through a whole database. Nearly all objects of such a command
 * are needed only for a moment. By default, V8 enlarges the space for new objects up to 128 MB, and collects the old
 * objects only when they take four times the memory that is in use. Collecting both earlier costs no time that can be
 * measured.
 */
export function steadyHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=100");
}
