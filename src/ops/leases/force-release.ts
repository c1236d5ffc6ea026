import { SvcError } from "../../contract/errors.ts";
import type { forceReleaseIssueLease as contract } from "../../contract/leases.ts";
import { leaseForceReleased } from "../../domain/drafts/leases.ts";
import { isUnreleased, notLeased } from "../../domain/leases.ts";
import { actorOf } from "../actor.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { copyIn } from "./copy.ts";
import { type LeaseRequest, leaseUnderFence, requireSpoke } from "./lease-request.ts";
import { endLease } from "./release.ts";

/** Ends a lease whoever holds it; the log records the actor and the reason. */
export const forceReleaseIssueLease: Op<typeof contract, "store" | "fence"> = async (
  deps,
  who,
  { params, headers, body },
) => {
  if (who.kind === "enrollment") return await refuseSpoke(deps, who, { params, headers });
  const actor = actorOf(who, body.actor || "admin");
  const reason = (body.reason ?? "") || "admin_force_release";
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, params);
    if ((await copyIn(tx, found.project)) !== undefined) throw onHubOnly();
    const lease = await leaseUnderFence(tx, found.issue, deps.fence);
    if (!isUnreleased(lease)) throw notLeased(lease);
    const act = { actor, now: await tx.leaseNow() };
    return await endLease(tx, found, leaseForceReleased(found.issue, lease, reason, act));
  });
};

/** Refuses the request of a spoke: only somebody at the hub may end the lease of another. */
async function refuseSpoke(
  { store }: Pick<Deps, "store">,
  who: Principal,
  request: Pick<LeaseRequest, "params" | "headers">,
): Promise<never> {
  await store.read(async (reader) => await requireSpoke(reader, who, request));
  throw onHubOnly();
}

function onHubOnly(): SvcError {
  const message =
    "the leases of this project are the hub's: only there can one be ended by another";
  return new SvcError("federated_read_only", {}, { message, hint: RELEASE_ON_HUB });
}

const RELEASE_ON_HUB = "svc lease force-release on the hub that svc federation status names";
