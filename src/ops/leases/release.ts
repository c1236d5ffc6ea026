import type { EventDraft } from "../../contract/events.ts";
import type { releaseIssueLease as contract } from "../../contract/leases.ts";
import { leaseReleased } from "../../domain/drafts/leases.ts";
import { requireHolder } from "../../domain/leases.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { type Found, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { grantedOut } from "../out/leases.ts";
import { leaseUnderFence, requesterOf, requireLease } from "./lease-request.ts";

export const releaseIssueLease: Op<typeof contract, "store" | "fence"> = async (
  deps,
  who,
  input,
) => {
  const { actor, holder } = requesterOf(who, input, deps.store.instanceUid);
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, input.params);
    const lease = requireHolder(await leaseUnderFence(tx, found.issue, deps.fence), holder);
    const act = { actor, now: await tx.leaseNow() };
    return await endLease(tx, found, leaseReleased(found.issue, lease, input.body.reason, act));
  });
};

export async function endLease(
  tx: Tx,
  { project, issue }: Found,
  draft: EventDraft<"claim.released" | "claim.force_released">,
) {
  const event = await tx.append(draft);
  return {
    ...grantedOut(await requireLease(tx, issue), issue, false),
    event: eventOut(event, project, { issue }),
  };
}
