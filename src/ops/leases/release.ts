import type { EventDraft } from "../../contract/events.ts";
import type { releaseIssueLease as contract } from "../../contract/leases.ts";
import { leaseReleased } from "../../domain/drafts/leases.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Op } from "../deps.ts";
import { type FoundIssue, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { grantedOut } from "../out/leases.ts";
import { copyIn, withHubs } from "./copy.ts";
import {
  forSpoke,
  leaseUnderFence,
  requesterIn,
  requireLease,
  requireOwnLease,
} from "./lease-request.ts";
import { releaseOnHub } from "./on-hub.ts";

export const releaseIssueLease: Op<
  typeof contract,
  "store" | "ids" | "fence" | "hubLeases"
> = async (deps, who, input) => {
  const released = await deps.store.write(async (tx) => {
    const requester = await requesterIn(tx, who, input, deps.store.instanceUid);
    const found = await requireIssue(tx, input.params);
    if ((await copyIn(tx, found.project)) !== undefined) return "copy";
    const lease = requireOwnLease(await leaseUnderFence(tx, found.issue, deps.fence), requester);
    const act = { actor: requester.actor, now: await tx.leaseNow() };
    const draft = leaseReleased(found.issue, lease, input.body.reason, act);
    const seen = await forSpoke(tx, who, found.issue);
    return { ...(await endLease(tx, found, draft)), ...seen };
  });
  return released === "copy" ? await releaseOnHub(withHubs(deps), who, input) : released;
};

export async function endLease(
  tx: Tx,
  { project, issue }: FoundIssue,
  draft: EventDraft<"claim.released" | "claim.force_released">,
) {
  const event = await tx.append(draft);
  return {
    ...grantedOut(await requireLease(tx, issue), issue, false),
    event: eventOut(event, project, { issue }),
  };
}
