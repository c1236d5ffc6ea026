import { getHeapSpaceStatistics } from "node:v8";

/** More old objects than this, and than half of those that live, are collected. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Collects the old objects of a thread between two of its tasks, where nobody waits for it. V8 alone begins when some
 * 60 MiB of them have gathered, since it does not know that the thread will have nothing to do. Where Node does not let
 * a program collect (`--expose-gc`), nothing is done.
 */
export class Garbage {
  readonly #gc: (() => void) | undefined;
  /** The old objects that were left by the last collection. */
  #kept = oldBytes();

  constructor(gc: (() => void) | undefined = globalThis.gc) {
    this.#gc = gc;
  }

  collect(): void {
    if (this.#gc === undefined) return;
    if (oldBytes() - this.#kept < Math.max(MOST_BYTES, this.#kept / 2)) return;
    this.#gc();
    this.#kept = oldBytes();
  }
}

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
}
