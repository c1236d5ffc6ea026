import { SvcError } from "../../contract/errors.ts";
import type { acquireIssueLease as contract } from "../../contract/leases.ts";
import { leaseAcquired, leaseReleased } from "../../domain/drafts/leases.ts";
import { checkTerms, isHolder, isUnreleased } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { grantedOut } from "../out/leases.ts";
import { copyIn, withHubs } from "./copy.ts";
import {
  forSpoke,
  leaseUnderFence,
  type Requester,
  requesterIn,
  requireLease,
} from "./lease-request.ts";
import { acquireOnHub } from "./on-hub.ts";

/**
 * Acquires a lease. If another holder has the lease, the answer says so without an error; if the caller has it already,
 * nothing changes. A spoke gets a lease of its own for each of its holders.
 */
export const acquireIssueLease: Op<
  typeof contract,
  "store" | "ids" | "fence" | "hubLeases"
> = async (deps, who, input) => {
  const { claim_kind = "hard", ttl_seconds, purpose = "" } = input.body;
  const terms = { claim_kind, ttl_seconds, purpose };
  const begun = await deps.store.write(async (tx) => {
    const requester = await requesterIn(tx, who, input, deps.store.instanceUid);
    checkTerms(terms);
    const { actor, holder, spoke } = requester;
    const { project, issue } = await requireIssue(tx, input.params);
    const replica = await copyIn(tx, project);
    if (replica !== undefined) return { replica };
    const known = await leaseUnderFence(tx, issue, deps.fence);
    const seen = await forSpoke(tx, who, issue);
    const held = await heldAlready(tx, issue, known, requester);
    if (held !== undefined) return { ...grantedOut(held, issue, isHolder(held, holder)), ...seen };
    const { claim_uid = deps.ids.ulid(), least } = spoke ?? {};
    const wish = { claim_uid, who: holder, terms, known, least: leastFence(known, least) };
    const draft = leaseAcquired(issue, wish, { actor, now: await tx.leaseNow() });
    const event = await tx.append(draft);
    const lease = await requireLease(tx, issue);
    const shown = eventOut(event, project, { issue });
    return { ...grantedOut(lease, issue, true), ...seen, event: shown };
  });
  return "granted" in begun ? begun : await acquireOnHub(withHubs(deps), who, input, begun.replica);
};

/**
 * Returns the active lease of the issue: the requester's own, or the lease of another holder, which prevents a new one.
 * If the spoke holds the lease for another of its holders, ends that lease and returns undefined. Throws
 * `claim_expired` if the lease that the spoke's request names has ended: the request is late.
 */
async function heldAlready(
  tx: Tx,
  issue: StoredIssue,
  known: LeaseRow | undefined,
  { actor, holder, spoke }: Requester,
): Promise<LeaseRow | undefined> {
  const isSame = spoke !== undefined && known?.claim_uid === spoke.claim_uid;
  if (!isUnreleased(known)) {
    if (isSame) throw new SvcError("claim_expired");
    return undefined;
  }
  if (spoke === undefined || isSame || !isHolder(known, holder)) return known;
  const act = { actor, now: await tx.leaseNow() };
  await tx.append(leaseReleased(issue, known, "another holder of the spoke", act));
  return undefined;
}

/**
 * A spoke may ask for a fence that is at most this much higher than the last one. Otherwise one request could use up
 * all fences.
 */
const MOST_AHEAD = 1_000_000;

/**
 * Returns the lowest fence that the new lease may get. After a restore of the hub, a spoke may have seen higher fences
 * than the hub has.
 */
function leastFence(known: LeaseRow | undefined, asked = 1): number {
  return Math.min(asked, (known?.fence ?? 0) + MOST_AHEAD);
}
