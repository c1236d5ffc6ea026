import type { acquireIssueLease as contract } from "../../contract/leases.ts";
import { leaseAcquired } from "../../domain/drafts/leases.ts";
import { checkTerms, isHolder, isUnreleased } from "../../domain/leases.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { grantedOut } from "../out/leases.ts";
import { leaseUnderFence, requesterOf, requireLease } from "./lease-request.ts";

/**
 * Acquires a lease. If another holder has the lease, the answer says so without an error; if the caller has it already,
 * nothing changes.
 */
export const acquireIssueLease: Op<typeof contract, "store" | "ids" | "fence"> = async (
  deps,
  who,
  input,
) => {
  const { actor, holder } = requesterOf(who, input, deps.store.instanceUid);
  const { claim_kind = "hard", ttl_seconds, purpose = "" } = input.body;
  const terms = { claim_kind, ttl_seconds, purpose };
  checkTerms(terms);
  return await deps.store.write(async (tx) => {
    const { project, issue } = await requireIssue(tx, input.params);
    const known = await leaseUnderFence(tx, issue, deps.fence);
    if (isUnreleased(known)) return grantedOut(known, issue, isHolder(known, holder));
    const wish = { claim_uid: deps.ids.ulid(), who: holder, terms, known };
    const draft = leaseAcquired(issue, wish, { actor, now: await tx.leaseNow() });
    const event = await tx.append(draft);
    const lease = await requireLease(tx, issue);
    return { ...grantedOut(lease, issue, true), event: eventOut(event, project, { issue }) };
  });
};
