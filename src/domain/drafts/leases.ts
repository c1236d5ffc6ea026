import { instantToMs, msToInstant } from "../../base/clock.ts";
import type { Payload, StoredEvent } from "../../contract/events.ts";
import type { LeaseHolder, LeaseTerms } from "../leases.ts";
import type { LeaseRow } from "../state.ts";
import { type Act, type IssueInProject, issueEventDraft, keyOf, type Mark } from "./draft.ts";

/** A new lease. It starts at the time of the event that contains it. */
interface NewLease {
  readonly claim_uid: string;
  readonly who: LeaseHolder;
  readonly terms: LeaseTerms;
  /** The issue's previous lease. The new lease gets a greater fence than the previous one. */
  readonly known: LeaseRow | undefined;
  /** The fence of the new lease is at least this number. */
  readonly least?: number | undefined;
  readonly mark?: Mark | undefined;
}

export function leaseAcquired(
  issue: IssueInProject,
  { claim_uid, who, terms, known, least = 1, mark }: NewLease,
  act: Act,
) {
  const { holder, holder_instance_uid, client_kind = "" } = who;
  const { claim_kind, ttl_seconds, purpose } = terms;
  return acquired(issue, act, {
    claim_uid,
    fence: Math.max((known?.fence ?? 0) + 1, least),
    holder,
    holder_instance_uid,
    client_kind,
    claim_kind,
    purpose,
    acquired_at: act.now,
    ...(ttl_seconds === undefined ? {} : { expires_at: secondsAfter(act.now, ttl_seconds) }),
    updated_at: act.now,
    ...keyOf(mark),
  });
}

/** What the hub of a copy has granted for a lease. The copy reserved the lease while it asked the hub. */
interface Confirmed {
  readonly fence: number;
  readonly claim_kind: LeaseTerms["claim_kind"];
  readonly expires_at: string | undefined;
  readonly mark?: Mark | undefined;
}

/**
 * Makes the event that turns the reserved lease of a copy into the lease that the hub has granted. Kind and end are
 * those that the hub granted, and the fence is at least the hub's.
 */
export function leaseConfirmed(
  issue: IssueInProject,
  lease: LeaseRow,
  { fence, claim_kind, expires_at, mark }: Confirmed,
  act: Act,
) {
  const { claim_uid, holder, holder_instance_uid, client_kind, purpose, acquired_at } = lease;
  const same = { claim_uid, holder, holder_instance_uid, client_kind, purpose, acquired_at };
  return acquired(issue, act, {
    ...same,
    fence: Math.max(fence, lease.fence),
    claim_kind,
    ...(expires_at === undefined ? {} : { expires_at }),
    updated_at: act.now,
    ...keyOf(mark),
  });
}

function acquired(issue: IssueInProject, act: Act, payload: Payload<"claim.acquired">) {
  return issueEventDraft("claim.acquired", issue, act, payload);
}

export function leaseRenewed(
  issue: IssueInProject,
  lease: LeaseRow,
  ttl_seconds: number,
  act: Act,
) {
  const expires_at = secondsAfter(act.now, ttl_seconds);
  return issueEventDraft("claim.renewed", issue, act, {
    ...fieldsOf(lease),
    expires_at,
    updated_at: act.now,
  });
}

export function leaseReleased(
  issue: IssueInProject,
  lease: LeaseRow,
  reason: string | undefined,
  act: Act,
) {
  return issueEventDraft("claim.released", issue, act, endOf(lease, act.now, reason, act));
}

/** The lease ended at `expires_at`, even if svc notices this later. */
export function leaseExpired(issue: IssueInProject, lease: LeaseRow, act: Act) {
  const released_at = lease.expires_at ?? act.now;
  return issueEventDraft("claim.expired", issue, act, endOf(lease, released_at, undefined, act));
}

export function leaseForceReleased(
  issue: IssueInProject,
  lease: LeaseRow,
  reason: string,
  act: Act,
) {
  return issueEventDraft("claim.force_released", issue, act, endOf(lease, act.now, reason, act));
}

/** An event of another daemon that changed the issue although somebody else had the lease. */
type Offence = Pick<StoredEvent, "uid" | "type" | "origin_instance_uid">;

export function leaseViolated(issue: IssueInProject, lease: LeaseRow, offence: Offence, act: Act) {
  return issueEventDraft("claim.violated", issue, act, {
    ...fieldsOf(lease),
    issue_uid: issue.uid,
    offending_event_uid: offence.uid,
    offending_event_type: offence.type,
    offending_origin_instance_uid: offence.origin_instance_uid,
    updated_at: act.now,
  });
}

function endOf(lease: LeaseRow, released_at: string, reason: string | undefined, { now }: Act) {
  const why = reason === undefined || reason === "" ? {} : { reason };
  return { ...fieldsOf(lease), released_at, ...why, updated_at: now };
}

function fieldsOf(lease: LeaseRow) {
  const { claim_uid, fence, holder, holder_instance_uid, client_kind, claim_kind } = lease;
  const { purpose, acquired_at, expires_at } = lease;
  const fields = { claim_uid, fence, holder, holder_instance_uid, client_kind, claim_kind };
  return { ...fields, purpose, acquired_at, ...(expires_at === null ? {} : { expires_at }) };
}

function secondsAfter(now: string, seconds: number): string {
  return msToInstant(instantToMs(now) + seconds * 1000);
}
