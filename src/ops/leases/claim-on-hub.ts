import { SvcError } from "../../contract/errors.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import { leaseReleased } from "../../domain/drafts/leases.ts";
import type { LeaseTerms } from "../../domain/leases.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { findBinding } from "../federation/binding.ts";
import { reload } from "../find.ts";
import { type AskingDeps, giveBack } from "./ask-hub.ts";
import type { AnsweredByHub } from "./hub-leases.ts";
import { isReserved, type ReservedIssue } from "./reserve.ts";
import { storeHubLease } from "./store-hub-lease.ts";

/**
 * How long a lease at the hub protects an issue whose new owner the hub does not know yet. Each pass renews the lease
 * until the hub has accepted the event.
 */
export const CLAIM_SECONDS = 600;

/** The terms of the lease that a claim asks the hub for. The lease is given back as soon as the hub knows the owner. */
export function claimTerms(): LeaseTerms {
  return { claim_kind: "timed", ttl_seconds: CLAIM_SECONDS, purpose: "claim" };
}

/** What the hub says of the issue that somebody here wants. */
export type HubIssue = NonNullable<AnsweredByHub["answer"]["issue"]>;

/** Whether the issue is open at the hub, and has no other owner there than `owner`. */
export function isFreeAtHub(issue: HubIssue | undefined, owner: string | undefined): boolean {
  if (issue === undefined || issue.status !== "open") return false;
  return issue.owner === undefined || issue.owner === owner;
}

/**
 * Writes the new owner, and ends the reservation. Returns undefined if the reservation is gone, or if `draft` finds the
 * issue changed.
 */
export async function confirmClaim(
  tx: Tx,
  { issue, lease, replica }: ReservedIssue,
  answered: AnsweredByHub,
  draft: (now: StoredIssue) => EventDraft<"issue.assigned"> | undefined,
): Promise<{ readonly event: StoredEvent; readonly issue: StoredIssue } | undefined> {
  const held = await tx.leases.of(issue.uid);
  if (held === undefined || !(await isReserved(tx, held, lease.claim_uid))) return undefined;
  const drafted = draft(await reload(tx, issue));
  if (drafted === undefined) return undefined;
  const event = await tx.append(drafted);
  const act = { actor: held.holder, now: await tx.leaseNow() };
  await tx.append(leaseReleased(issue, held, "claimed", act));
  await tx.unfolded.remove("pending_lease", { request_uid: lease.claim_uid });
  await storeHubLease(tx, replica, answered.answer);
  return { event, issue: await reload(tx, issue) };
}

/**
 * Waits until the hub has accepted the event that gave the issue its owner, and then gives the lease back to the hub.
 * Before that, another spoke could not know the owner. Throws `outcome_unknown` if the hub does not accept the event in
 * time.
 */
export async function awaitAccepted(
  deps: AskingDeps,
  reserved: Pick<ReservedIssue, "issue" | "lease" | "replica">,
  { id }: Pick<StoredEvent, "id">,
): Promise<void> {
  await requireAccepted(deps, reserved.replica.project_uid, id);
  await giveBack(deps, reserved);
}

export async function requireAccepted(
  { hubLeases }: Pick<AskingDeps, "hubLeases">,
  project_uid: string,
  event_id: number,
): Promise<void> {
  if (await hubLeases.sent(project_uid, event_id)) return;
  throw new SvcError(
    "outcome_unknown",
    { reason: "hub" },
    {
      message: "the claim is written here, but the hub has not accepted it yet",
      hint: "repeat the claim: it succeeds once the hub has accepted it",
    },
  );
}

/** The event with which this daemon gave a copy's issue its owner, if the hub may not have accepted it yet. */
export async function unacceptedClaim(
  reader: Reader,
  { uid, project_uid }: Pick<StoredIssue, "uid" | "project_uid">,
  instanceUid: string,
): Promise<Pick<StoredEvent, "id" | "uid"> | undefined> {
  const binding = await findBinding(reader, { uid: project_uid });
  if (binding?.role !== "spoke" || binding.push_enabled !== 1) return undefined;
  return await reader.federation.ownClaimAfter(uid, instanceUid, binding.push_cursor_event_id);
}
