import { invariant } from "../../base/invariant.ts";
import { invalidField } from "../../contract/errors.ts";
import type { acquireIssueLease } from "../../contract/leases.ts";
import type { Input } from "../../contract/route.ts";
import { leaseExpired } from "../../domain/drafts/leases.ts";
import {
  checkFence,
  hasExpired,
  isUnreleased,
  type LeaseHolder,
  notLeased,
  requireHolder,
} from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requireEnrolled } from "../federation/enrolled.ts";

export type LeaseRequest = Input<typeof acquireIssueLease>;

export interface Requester {
  readonly actor: string;
  readonly holder: LeaseHolder;
  /**
   * Set if a spoke asks. `claim_uid`: the lease that is meant; a spoke has one for each of its holders. `least`: the
   * lowest fence that the spoke accepts.
   */
  readonly spoke?: { readonly claim_uid: string; readonly least: number | undefined };
}

/**
 * Returns who asks for the lease. A spoke asks as the actor of its enrollment, whatever holder the request names
 * (docs/contract/federation.md#9-leases); the enrollment is read in the caller's transaction.
 */
export async function requesterIn(
  reader: Reader,
  who: Principal,
  request: LeaseRequest,
  instanceUid: string,
): Promise<Requester> {
  if (who.kind !== "enrollment") return requesterOf(who, request, instanceUid);
  const { bound_actor, spoke_instance_uid } = await requireSpoke(reader, who, request);
  const { claim_uid, fence } = request.body;
  if (claim_uid === undefined) throw invalidField("claim_uid", "is required from a spoke");
  return {
    actor: bound_actor,
    holder: { holder: bound_actor, holder_instance_uid: spoke_instance_uid },
    spoke: { claim_uid, least: fence },
  };
}

/** Returns the enrollment of a spoke that may ask for leases of the project. Throws `auth_invalid` if it may not. */
export async function requireSpoke(
  reader: Reader,
  who: Principal,
  { params, headers }: Pick<LeaseRequest, "params" | "headers">,
): Promise<EnrollmentRow> {
  const instance = headers["x-svc-instance"];
  const asked = { project_id: params.project_id, instance, capability: "claim" } as const;
  return (await requireEnrolled(reader, who, asked)).enrollment;
}

/**
 * Returns the lease if the requester holds it. Throws otherwise. A spoke holds only the lease that its request names.
 */
export function requireOwnLease(
  lease: LeaseRow | undefined,
  { holder, spoke }: Requester,
): LeaseRow {
  const own = requireHolder(lease, holder);
  if (spoke !== undefined && own.claim_uid !== spoke.claim_uid) throw notLeased(own);
  return own;
}

/** Returns what a spoke must know about the issue, since its copy may be behind; nothing for other callers. */
export async function forSpoke(tx: Pick<Tx, "leaseNow">, who: Principal, issue: StoredIssue) {
  if (who.kind !== "enrollment") return {};
  const { uid, owner, status, revision } = issue;
  const shown = { uid, status, revision, ...(owner === null ? {} : { owner }) };
  return { issue: shown, hub_now: await tx.leaseNow() };
}

export function requesterOf(
  who: Principal,
  { body }: LeaseRequest,
  instanceUid: string,
): Requester {
  const actor = actorOf(who, body.actor);
  const { client_kind } = body;
  return {
    actor,
    holder: {
      holder: body.holder ?? actor,
      holder_instance_uid: instanceUid,
      ...(client_kind === undefined ? {} : { client_kind }),
    },
  };
}

/**
 * Returns the issue's lease. An expired lease is ended first, with its holder as the actor
 * (docs/contract/cron-and-inbox.md#13-leases).
 */
export async function currentLease(tx: Tx, issue: StoredIssue): Promise<LeaseRow | undefined> {
  const lease = await tx.leases.of(issue.uid);
  if (!isUnreleased(lease) || !hasExpired(lease, await tx.leaseNow())) return lease;
  await expire(tx, issue, lease);
  return await requireLease(tx, issue);
}

/**
 * Returns the issue's lease for an action on it, and ends the lease first if it has expired. If the request has a
 * fence, throws unless the lease with exactly this fence is active. The holder's name would prove nothing, since
 * several agents may share a name.
 */
export async function leaseUnderFence(
  tx: Tx,
  issue: StoredIssue,
  fence: number | undefined,
): Promise<LeaseRow | undefined> {
  if (fence !== undefined) checkFence(await tx.leases.of(issue.uid), fence, await tx.leaseNow());
  return await currentLease(tx, issue);
}

export async function expire(
  tx: Tx,
  issue: Pick<StoredIssue, "uid" | "project_uid">,
  lease: LeaseRow,
): Promise<void> {
  await tx.append(leaseExpired(issue, lease, { actor: lease.holder, now: await tx.leaseNow() }));
}

export async function requireLease(tx: Tx, issue: StoredIssue): Promise<LeaseRow> {
  const lease = await tx.leases.of(issue.uid);
  invariant(lease !== undefined, "an issue that was ever leased keeps the last lease of it");
  return lease;
}
