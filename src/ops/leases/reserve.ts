import { instantToMs, msToInstant } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Mark } from "../../domain/drafts/draft.ts";
import { leaseAcquired, leaseConfirmed, leaseReleased } from "../../domain/drafts/leases.ts";
import { isUnreleased, type LeaseHolder, type LeaseTerms } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import type { Replica } from "../federation/bound-replica.ts";
import type { AnsweredByHub } from "./hub-leases.ts";
import { currentLease, requireLease } from "./lease-request.ts";
import { storeHubLease } from "./store-hub-lease.ts";

/** A lease that somebody wants and that was not requested from the hub yet. */
export interface WantedLease {
  readonly actor: string;
  readonly holder: LeaseHolder;
  readonly terms: LeaseTerms;
  readonly mark?: Mark | undefined;
}

/** An issue of a copy that is reserved during a request to the hub, so that nobody else on this daemon gets it. */
export interface ReservedIssue {
  readonly replica: Replica;
  readonly project: StoredProject;
  readonly issue: StoredIssue;
  readonly lease: LeaseRow;
  /** The id of the event that reserved the issue; 0 for a lease that the caller had before. */
  readonly event_id: number;
}

/**
 * How long a reservation lasts if this daemon ends before the hub has answered. This daemon waits for the hub for less
 * time.
 */
export const RESERVED_SECONDS = 30;

/**
 * Leases the issue here for the time of the request to the hub. If this daemon ends before the hub answers, the row in
 * `pending_lease` tells the next pass to give back the lease that the hub may have granted. The fence is new, so that
 * nobody with an older fence can write under the reservation.
 */
export async function reserve(
  { ids }: Pick<Deps, "ids">,
  tx: Tx,
  at: Pick<ReservedIssue, "replica" | "project" | "issue">,
  { actor, holder, terms, mark }: WantedLease,
): Promise<ReservedIssue> {
  const { issue, replica } = at;
  const known = await currentLease(tx, issue);
  const claim_uid = ids.ulid();
  const short = { claim_kind: "timed", ttl_seconds: RESERVED_SECONDS } as const;
  const wish = { claim_uid, who: holder, terms: { ...terms, ...short }, known, mark };
  const event = await tx.append(leaseAcquired(issue, wish, { actor, now: await tx.leaseNow() }));
  const lease = await requireLease(tx, issue);
  await rejectFormer(tx, lease);
  await tx.unfolded.put("pending_lease", {
    request_uid: claim_uid,
    project_uid: replica.project_uid,
    issue_uid: issue.uid,
    holder: lease.holder,
    holder_instance_uid: lease.holder_instance_uid,
    client_kind: lease.client_kind,
    claim_kind: terms.claim_kind,
    ttl_seconds: terms.ttl_seconds ?? null,
    purpose: terms.purpose,
    requested_at: tx.now,
    last_attempt_at: tx.now,
    last_error: null,
    rejected_at: null,
    resolved_at: null,
  });
  return { ...at, lease, event_id: event.id };
}

/**
 * Rejects an earlier request of the same holder that has no result: its answer was lost, or the new request replaces
 * it.
 */
async function rejectFormer(tx: Tx, lease: LeaseRow): Promise<void> {
  const former = await tx.federation.pendingLeaseOf(lease);
  if (former !== undefined)
    await tx.unfolded.put("pending_lease", { ...former, rejected_at: tx.now });
}

/**
 * Turns the reservation into the lease that the hub has granted, with the hub's fence. By the clock of this daemon, the
 * lease ends before the hub's lease, because its time counts from when the request was sent. Returns undefined if the
 * reservation is gone; then the hub's lease must be given back.
 */
export async function confirmReservation(
  tx: Tx,
  { issue, lease, replica }: ReservedIssue,
  { actor, terms, mark }: Omit<WantedLease, "holder">,
  answered: AnsweredByHub,
): Promise<{ readonly lease: LeaseRow; readonly event: StoredEvent } | undefined> {
  const now = await tx.leaseNow();
  const { claim_uid } = lease;
  const held = await tx.leases.of(issue.uid);
  if (!(await isReserved(tx, held, claim_uid))) return undefined;
  const granted = answered.answer.lease;
  invariant(granted !== undefined, "a hub that grants a lease says which");
  const expires_at = endOf(now, terms.ttl_seconds, answered.waited_ms);
  const confirmed = { fence: granted.fence, claim_kind: terms.claim_kind, expires_at, mark };
  const event = await tx.append(leaseConfirmed(issue, lease, confirmed, { actor, now }));
  await tx.unfolded.remove("pending_lease", { request_uid: claim_uid });
  await storeHubLease(tx, replica, answered.answer);
  return { lease: await requireLease(tx, issue), event };
}

/** Whether the reservation still holds: nobody has ended it, and no pass has given it up. */
export async function isReserved(
  tx: Tx,
  held: LeaseRow | undefined,
  claim_uid: string,
): Promise<boolean> {
  const row = await tx.unfolded.find("pending_lease", { request_uid: claim_uid });
  const isOpen = row !== undefined && row.rejected_at === null;
  return isOpen && isUnreleased(held) && held.claim_uid === claim_uid;
}

/** When a lease ends that was requested `waited_ms` ago; undefined for a lease without a time limit. */
export function endOf(now: string, ttl_seconds: number | undefined, waited_ms: number) {
  if (ttl_seconds === undefined) return undefined;
  return msToInstant(instantToMs(now) + ttl_seconds * 1000 - waited_ms);
}

/** The reason in the log for the end of a reservation for which the hub granted no lease. */
export const NOT_GRANTED = "not granted by the hub";

/**
 * Ends a reservation that did not become a lease.
 * - `denied`: the hub has granted nothing.
 * - `unknown`: the hub may have granted the lease, so the next pass gives it back.
 * - `pending`: the next pass asks again; `code` says why there was no answer.
 */
export async function endReservation(
  tx: Tx,
  { issue, lease: { claim_uid } }: Pick<ReservedIssue, "issue" | "lease">,
  end: "denied" | "unknown" | { readonly pending: string },
): Promise<void> {
  const held = await tx.leases.of(issue.uid);
  if (isUnreleased(held) && held.claim_uid === claim_uid) {
    const act = { actor: held.holder, now: await tx.leaseNow() };
    await tx.append(leaseReleased(issue, held, NOT_GRANTED, act));
  }
  const key = { request_uid: claim_uid };
  const row = await tx.unfolded.find("pending_lease", key);
  if (row === undefined) return;
  if (end === "denied") await tx.unfolded.remove("pending_lease", key);
  else if (end === "unknown")
    await tx.unfolded.put("pending_lease", { ...row, rejected_at: tx.now });
  else await tx.unfolded.put("pending_lease", { ...row, last_error: end.pending });
}

/** Refuses a request about a lease while another request about it waits for the hub's answer. */
export async function refuseReserved(tx: Tx, { claim_uid }: LeaseRow): Promise<void> {
  const asking = await tx.unfolded.find("pending_lease", { request_uid: claim_uid });
  if (asking !== undefined)
    throw new SvcError(
      "busy",
      { reason: "hub" },
      { message: "the hub is being asked for this lease", hint: "repeat it in some seconds" },
    );
}
