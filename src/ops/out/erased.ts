import type { EraseResult, Store } from "../../store/types/store.ts";

interface ErasedOut {
  readonly erased: boolean;
  readonly erasure?: string;
}

/**
 * Erases purged data from the database's files and reports whether that is done. The purge is already committed, so an
 * error is not thrown: the daemon logs it and tries again.
 */
export async function eraseOut(store: Pick<Store, "erase">): Promise<ErasedOut> {
  const outcome: EraseResult = await store.erase().catch(() => "held");
  if (outcome === "erased") return { erased: true };
  return { erased: false, erasure: NOT_ERASED_TEXTS[outcome] };
}

const NOT_ERASED_TEXTS = {
  held: "the files of the database still hold some of it, since something reads an older state, another write took long or the disk failed; the daemon erases it as soon as it can",
  unsupported:
    "PostgreSQL keeps the bytes of deleted rows in its files until VACUUM FULL has rewritten the tables, and in its write-ahead log and archives for as long as these are kept",
} as const;
