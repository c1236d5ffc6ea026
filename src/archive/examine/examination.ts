import type { Snapshot } from "../../store/admin-store.ts";
import type { Verified } from "../../store/refold/checkpoint.ts";
import type { Scratch } from "../../store/scratch.ts";

/** What all parts of an examination use. */
export interface Examination {
  readonly snapshot: Snapshot;
  /** Stores what may be too large for the memory. */
  readonly scratch: Scratch;
  /** Whether data that was verified earlier is skipped if its digest is still the same. */
  readonly trusts: boolean;
  /**
   * The storage schema, as a text that every digest includes. After an upgrade no stored digest matches, because a new
   * version may fold events differently.
   */
  readonly seed: string;
  /** Stores the digests of what was verified; `undefined` if they are not to be stored. */
  readonly keep: ((verified: readonly Verified[]) => Promise<void>) | undefined;
  /** Reports progress: `count` more events or rows were processed. */
  step(count: number): void;
}
