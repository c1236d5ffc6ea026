import { sha256OfHex } from "../../base/hash.ts";

/** The chain before the first event of a log. */
export const NO_CHAIN = "0".repeat(32);

/**
 * Returns the chain of an event: the first 16 bytes of the SHA-256 of the predecessor's chain (16 bytes) and the
 * event's content hash (32 bytes), as 32 lower-case hex digits. So equal chains mean equal logs up to this event.
 */
export function chainOf(predecessor: string, contentHash: string): string {
  return sha256OfHex(predecessor + contentHash).slice(0, 32);
}
