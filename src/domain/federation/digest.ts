import type { pollFederationProjectEvents } from "../../contract/federation-transport.ts";
import type { Output } from "../../contract/route.ts";

/**
 * What a hub says about its events of a project: how many there are from the id `from` to the id `through`, and the sum
 * of their content hashes. A copy that has the same events has the same sum. The sum finds accidents, not forgeries:
 * somebody can make other events with the same sum on purpose.
 */
export type Digest = NonNullable<Output<typeof pollFederationProjectEvents>["digest"]>;

/**
 * The version of the rules by which events become rows (`domain/evolve`, `domain/order.ts`). Raise it when the same
 * events no longer give the same rows. Two daemons with equal events and different versions may show different rows.
 */
export const FOLD_VERSION = 1;

/** After this many comparisons in a row that find a difference, status and doctor report it. */
export const UNEQUAL_PASSES = 3;

/** How many events were counted, and the sum of their content hashes. */
export interface HashSum {
  readonly count: number;
  readonly sum: bigint;
}

export const NO_HASHES: HashSum = { count: 0, sum: 0n };

const MODULUS = 1n << 256n;

/** Adds content hashes of 64 hex digits; the sum is modulo 2^256. The order makes no difference. */
export function withHashes({ count, sum }: HashSum, hashes: readonly string[]): HashSum {
  let total = sum;
  for (const hash of hashes) total += BigInt(`0x${hash}`);
  return { count: count + hashes.length, sum: total % MODULUS };
}

export function joinSums(one: HashSum, other: HashSum): HashSum {
  return { count: one.count + other.count, sum: (one.sum + other.sum) % MODULUS };
}

/** The sum as 64 lower-case hex digits. */
export function sumText(sum: bigint): string {
  return sum.toString(16).padStart(64, "0");
}

export function parseSum(text: string): bigint {
  return BigInt(`0x${text}`);
}

/** Whether the count and the sum of a copy equal those in its hub's digest. */
export function isEqualSum(
  { count, sum }: HashSum,
  digest: Pick<Digest, "count" | "sum">,
): boolean {
  return count === digest.count && sumText(sum) === digest.sum;
}
