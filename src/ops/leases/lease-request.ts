import { invariant } from "../../base/invariant.ts";
import type { acquireIssueLease } from "../../contract/leases.ts";
import type { Input } from "../../contract/route.ts";
import { leaseExpired } from "../../domain/drafts/leases.ts";
import { checkFence, hasExpired, isUnreleased, type LeaseHolder } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";

export type LeaseRequest = Input<typeof acquireIssueLease>;

export function requesterOf(
  who: Principal,
  { body }: LeaseRequest,
  instanceUid: string,
): { readonly actor: string; readonly holder: LeaseHolder } {
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
 * Returns the issue's lease. An expired lease is ended first, with its holder as the actor (facts cron-and-inbox 13).
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
