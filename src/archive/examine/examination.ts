import type { Snapshot } from "../../store/admin-store.ts";
import type { Verified } from "../../store/refold/checkpoint.ts";
import type { Scratch } from "../../store/scratch.ts";

/** What the parts of an examination share. */
export interface Examination {
  readonly snapshot: Snapshot;
  /** Holds what may be too much for the memory. */
  readonly scratch: Scratch;
  /** Whether what was verified before is trusted as long as its digest is the same. */
  readonly trusts: boolean;
  /** Belongs to each digest. After an upgrade no digest is the same, since the fold may have changed. */
  readonly seed: string;
  /** Writes down what was verified; undefined if nothing can be written. */
  readonly keep: ((verified: readonly Verified[]) => Promise<void>) | undefined;
  /** Reports progress: this many events or rows more. */
  step(count: number): void;
}
