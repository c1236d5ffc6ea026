import { monotonicFactory } from "ulid";

/** Makes ULIDs: 26 upper-case Crockford characters that sort by time of creation within one process. */
export interface Ids {
  ulid(): string;
}

/** The generator is created on first use, because a daemon that only answers read requests needs none. */
export function systemIds(): Ids {
  let next: (() => string) | undefined;
  return {
    ulid: () => {
      next ??= monotonicFactory(pooledRandom());
      return next();
    },
  };
}

const POOL_BYTES = 4096;

/**
 * Returns a secure source of random numbers from 0 to below 1 for the ULID library. Each number is made from one random
 * byte; the bytes are fetched from the system in batches.
 */
function pooledRandom(): () => number {
  const { randomFillSync } = process.getBuiltinModule("node:crypto");
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used] ?? 0;
    used += 1;
    return byte / 256;
  };
}
