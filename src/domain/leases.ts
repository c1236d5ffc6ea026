import { instantToMs, msToInstant } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/events.ts";
import type { Act } from "./issues.ts";
import type { IssueRow, LeaseRow } from "./state.ts";

/**
 * A lease is an exclusive hold on one issue, independent of its owner (facts cron-and-inbox 13). The row stays after
 * the lease ends: it keeps the last fence, so that no fence is reused.
 */
export interface LeaseHolder {
  readonly holder: string;
  readonly holder_instance_uid: string;
  /** Absent matches any kind of client. */
  readonly client_kind?: string | undefined;
}

export interface LeaseTerms {
  readonly claim_kind: "hard" | "timed";
  readonly ttl_seconds?: number | undefined;
  readonly purpose: string;
}

type Issue = Pick<IssueRow, "uid" | "project_uid">;
type Over = "claim.released" | "claim.expired" | "claim.force_released";

/** Neither released nor force-released; it may have expired without being swept. */
export function isUnreleased(
  lease: LeaseRow | undefined,
): lease is LeaseRow & { readonly released_at: null } {
  return lease !== undefined && lease.released_at === null;
}

export function hasExpired(lease: LeaseRow, now: string): boolean {
  return lease.expires_at !== null && lease.expires_at <= now;
}

export function isHeld(
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

export function checkTerms({ claim_kind, ttl_seconds }: LeaseTerms): void {
  if (claim_kind === "timed" && ttl_seconds === undefined)
    throw invalid("ttl_seconds", "a timed lease needs ttl_seconds");
  if (claim_kind === "hard" && ttl_seconds !== undefined)
    throw invalid("ttl_seconds", 'ttl_seconds is for claim_kind "timed"');
}

/** For an issue without a lease: gives the next fence. */
export function acquired(
  issue: Issue,
  known: LeaseRow | undefined,
  wish: { readonly who: LeaseHolder; readonly terms: LeaseTerms; readonly claim_uid: string },
  act: Act,
): EventDraft<"claim.acquired"> {
  const { who, terms, claim_uid } = wish;
  return {
    type: "claim.acquired",
    ...about(issue, act),
    payload: {
      claim_uid,
      fence: (known?.fence ?? 0) + 1,
      holder: who.holder,
      holder_instance_uid: who.holder_instance_uid,
      client_kind: who.client_kind ?? "",
      claim_kind: terms.claim_kind,
      purpose: terms.purpose,
      acquired_at: act.now,
      ...(terms.ttl_seconds === undefined ? {} : { expires_at: after(act.now, terms.ttl_seconds) }),
      updated_at: act.now,
    },
  };
}

export function renewed(
  issue: Issue,
  lease: LeaseRow,
  ttl_seconds: number | undefined,
  act: Act,
): EventDraft<"claim.renewed"> {
  if (lease.claim_kind === "hard") throw invalid("claim_kind", "a hard lease needs no renewal");
  if (ttl_seconds === undefined) throw invalid("ttl_seconds", "ttl_seconds is required");
  const expires_at = after(act.now, ttl_seconds);
  return {
    type: "claim.renewed",
    ...about(issue, act),
    payload: { ...fieldsOf(lease), expires_at, updated_at: act.now },
  };
}

export function ended<K extends Over>(
  type: K,
  issue: Issue,
  lease: LeaseRow,
  reason: string | undefined,
  act: Act,
) {
  const released_at = type === "claim.expired" ? (lease.expires_at ?? act.now) : act.now;
  return {
    type,
    ...about(issue, act),
    payload: {
      ...fieldsOf(lease),
      released_at,
      ...(reason === undefined || reason === "" ? {} : { reason }),
      updated_at: act.now,
    },
  };
}

/** Only the holder may renew and release. */
export function requireHolder(lease: LeaseRow | undefined, who: LeaseHolder): LeaseRow {
  if (isUnreleased(lease) && isHolder(lease, who)) return lease;
  throw notHeld(lease);
}

export function notHeld(lease: LeaseRow | undefined): SvcError {
  return new SvcError("claim_not_held", isUnreleased(lease) ? { holder: principalOf(lease) } : {});
}

/**
 * Checks that a change of an issue may be written (facts http-api 6.8). Only the holder of a live lease may write; the
 * holder of an expired one is told so until it is swept. A write with a fence requires exactly that lease to be held
 * now, so a worker that lost its lease can change nothing.
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

/** Checks that the lease with this fence is the current one. */
export function checkFence(lease: LeaseRow | undefined, fence: number, now: string): void {
  if (lease === undefined || fence > lease.fence) throw notHeld(lease);
  if (fence < lease.fence) throw new SvcError("fence_stale", { fence, current: lease.fence });
  if (lease.released_at === null && !hasExpired(lease, now)) return;
  const ranOut = lease.released_at === null || lease.release_reason === EXPIRED;
  if (ranOut) throw new SvcError("claim_expired", { lease: namesOf(lease) });
  throw notHeld(lease);
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

function fieldsOf(lease: LeaseRow) {
  const { claim_uid, fence, holder, holder_instance_uid, client_kind, claim_kind } = lease;
  const { purpose, acquired_at, expires_at } = lease;
  const fields = { claim_uid, fence, holder, holder_instance_uid, client_kind, claim_kind };
  return { ...fields, purpose, acquired_at, ...(expires_at === null ? {} : { expires_at }) };
}

function about(issue: Issue, { actor }: Act) {
  return { actor, project_uid: issue.project_uid, issue_uid: issue.uid };
}

function after(now: string, seconds: number): string {
  return msToInstant(instantToMs(now) + seconds * 1000);
}

function invalid(field: string, message: string): SvcError {
  return new SvcError("validation", { field }, { message });
}
