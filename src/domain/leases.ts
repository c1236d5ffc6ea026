import { SvcError } from "../contract/errors.ts";
import type { LeaseRow } from "./state.ts";

/**
 * Who holds a lease. A lease is an exclusive hold on one issue, independent of the owner
 * (docs/contract/cron-and-inbox.md#13-leases). The row of a lease stays after the lease ends and keeps the last fence,
 * so that no fence is reused.
 */
export interface LeaseHolder {
  readonly holder: string;
  readonly holder_instance_uid: string;
  /** If it is absent, any kind of client matches. */
  readonly client_kind?: string | undefined;
}

export interface LeaseTerms {
  readonly claim_kind: "hard" | "timed";
  readonly ttl_seconds?: number | undefined;
  readonly purpose: string;
}

/** True for a lease that was not released, even if it has expired and was not swept yet. */
export function isUnreleased(
  lease: LeaseRow | undefined,
): lease is LeaseRow & { readonly released_at: null } {
  return lease !== undefined && lease.released_at === null;
}

export function hasExpired(lease: LeaseRow, now: string): boolean {
  return lease.expires_at !== null && lease.expires_at <= now;
}

export function isLeased(
  lease: LeaseRow | undefined,
  now: string,
): lease is LeaseRow & { readonly released_at: null } {
  return isUnreleased(lease) && !hasExpired(lease, now);
}

export function isHolder(lease: LeaseRow, who: LeaseHolder): boolean {
  return (
    lease.holder === who.holder &&
    lease.holder_instance_uid === who.holder_instance_uid &&
    (who.client_kind === undefined || who.client_kind === lease.client_kind)
  );
}

export function checkRenewal(lease: LeaseRow, ttl_seconds: number | undefined): number {
  if (lease.claim_kind === "hard") throw invalid("claim_kind", "a hard lease needs no renewal");
  if (ttl_seconds === undefined) throw invalid("ttl_seconds", "ttl_seconds is required");
  return ttl_seconds;
}

export function checkTerms({ claim_kind, ttl_seconds }: LeaseTerms): void {
  if (claim_kind === "timed" && ttl_seconds === undefined)
    throw invalid("ttl_seconds", "a timed lease needs ttl_seconds");
  if (claim_kind === "hard" && ttl_seconds !== undefined)
    throw invalid("ttl_seconds", 'ttl_seconds is for claim_kind "timed"');
}

/** Returns the lease. Throws unless the caller is its holder, since nobody else may renew or release it. */
export function requireHolder(lease: LeaseRow | undefined, who: LeaseHolder): LeaseRow {
  if (isUnreleased(lease) && isHolder(lease, who)) return lease;
  throw notLeased(lease);
}

export function notLeased(lease: LeaseRow | undefined): SvcError {
  return new SvcError("claim_not_held", isUnreleased(lease) ? { holder: principalOf(lease) } : {});
}

/**
 * Checks that a change of an issue may be written (docs/contract/http-api.md#68-leases).
 * - While a lease is live, only its holder may write.
 * - After a lease has expired, its holder is refused with `claim_expired` until the lease is swept.
 * - A write with a fence requires that the lease with this fence is held now, so an agent that lost its lease can
 *   change nothing.
 */
export function checkLease(
  lease: LeaseRow | undefined,
  who: LeaseHolder,
  { now, fence }: { readonly now: string; readonly fence?: number | undefined },
): void {
  if (fence !== undefined) checkFence(lease, fence, now);
  if (!isUnreleased(lease)) return;
  const own = isHolder(lease, { ...who, client_kind: undefined });
  const expired = hasExpired(lease, now);
  if (own && expired) throw new SvcError("claim_expired", { lease: namesOf(lease) });
  if (!own && !expired) throw new SvcError("claim_denied", { holder: principalOf(lease) });
}

export function checkFence(lease: LeaseRow | undefined, fence: number, now: string): void {
  if (lease === undefined || fence > lease.fence) throw notLeased(lease);
  if (fence < lease.fence) throw new SvcError("fence_stale", { fence, current: lease.fence });
  if (lease.released_at === null && !hasExpired(lease, now)) return;
  const wasExpired = lease.released_at === null || lease.release_reason === EXPIRED;
  if (wasExpired) throw new SvcError("claim_expired", { lease: namesOf(lease) });
  throw notLeased(lease);
}

/** `release_reason` of a lease that expired. */
export const EXPIRED = "expired";

export function principalOf(lease: LeaseRow) {
  const { holder, holder_instance_uid, client_kind } = lease;
  return { holder, holder_instance_uid, client_kind };
}

function namesOf({ claim_uid, fence, expires_at }: LeaseRow) {
  return { claim_uid, fence, ...(expires_at === null ? {} : { expires_at }) };
}

function invalid(field: string, message: string): SvcError {
  return new SvcError("validation", { field }, { message });
}
