import { SvcError } from "../../contract/errors.ts";
import type { renewIssueLease as contract } from "../../contract/leases.ts";
import { leaseRenewed } from "../../domain/drafts/leases.ts";
import { checkRenewal, EXPIRED, isHolder, isUnreleased } from "../../domain/leases.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { grantedOut } from "../out/leases.ts";
import { copyIn, withHubs } from "./copy.ts";
import {
  forSpoke,
  leaseUnderFence,
  requesterIn,
  requireLease,
  requireOwnLease,
} from "./lease-request.ts";
import { renewOnHub } from "./on-hub.ts";

/** Moves the end of a lease to `ttl_seconds` from now, later or earlier. An expired lease is not renewed. */
export const renewIssueLease: Op<typeof contract, "store" | "ids" | "fence" | "hubLeases"> = async (
  deps,
  who,
  input,
) => {
  const renewal = await deps.store.write(async (tx) => {
    const requester = await requesterIn(tx, who, input, deps.store.instanceUid);
    const { actor, holder } = requester;
    const { project, issue } = await requireIssue(tx, input.params);
    if ((await copyIn(tx, project)) !== undefined) return "copy";
    const known = await leaseUnderFence(tx, issue, deps.fence);
    if (known !== undefined && !isUnreleased(known)) {
      const hasOwnExpired = known.release_reason === EXPIRED && isHolder(known, holder);
      // Return instead of throwing: the renewal is refused, but the end of the expired lease must be committed.
      if (hasOwnExpired) return "expired";
    }
    const lease = requireOwnLease(known, requester);
    const ttl = checkRenewal(lease, input.body.ttl_seconds);
    await tx.append(leaseRenewed(issue, lease, ttl, { actor, now: await tx.leaseNow() }));
    const renewed = grantedOut(await requireLease(tx, issue), issue, true);
    return { ...renewed, ...(await forSpoke(tx, who, issue)) };
  });
  if (renewal === "copy") return await renewOnHub(withHubs(deps), who, input);
  if (renewal === "expired") throw new SvcError("claim_expired");
  return renewal;
};
