import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap from growing while a command works through a whole database. V8 doubles the space for new objects
 * again and again, up to 128 MB, to collect garbage less often. Here nearly all objects are gone after a moment, so a
 * small space costs no time.
 */
export function steadyHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
