import type { timingSafeEqual } from "node:crypto";

let equal: typeof timingSafeEqual | undefined;

/** Compares two hex digests in constant time, so that the time tells nothing about the secrets behind them. */
export function equalDigests(one: string, other: string): boolean {
  equal ??= process.getBuiltinModule("node:crypto").timingSafeEqual;
  return one.length === other.length && equal(Buffer.from(one), Buffer.from(other));
}
