import { instantToMs, msToInstant } from "../../base/clock.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Replica } from "../federation/bound-replica.ts";
import type { AnsweredByHub } from "./hub-leases.ts";

type Mirrored = Row<"mirrored_lease">;

/** Stores what the hub has said about the lease of an issue. Does nothing if the issue never had a lease. */
export async function storeHubLease(
  tx: Tx,
  { project_uid }: Pick<Replica, "project_uid">,
  { lease, hub_now }: AnsweredByHub["answer"],
): Promise<void> {
  if (lease === undefined) return;
  const { expires_at, released_at = null, release_reason = null } = lease;
  await tx.unfolded.put("mirrored_lease", {
    issue_uid: lease.issue_uid,
    project_uid,
    claim_uid: lease.claim_uid,
    holder: lease.holder,
    holder_instance_uid: lease.holder_instance_uid,
    client_kind: lease.client_kind,
    purpose: lease.purpose,
    claim_kind: lease.claim_kind,
    acquired_at: lease.acquired_at,
    expires_at: expires_at === undefined ? null : here(expires_at, hub_now, await tx.leaseNow()),
    released_at,
    release_reason,
    revision: lease.revision,
    updated_at: lease.updated_at,
    heard_at: hub_now ?? tx.now,
  });
}

/** Converts an instant of the hub's clock to the clock of this daemon. `hubNow` and `now` are the same moment. */
function here(at: string, hubNow: string | undefined, now: string): string {
  if (hubNow === undefined) return at;
  return msToInstant(instantToMs(now) + instantToMs(at) - instantToMs(hubNow));
}

/** Whether the hub's lease is held, as far as this daemon knows. */
export function isHeldAtHub(
  lease: Mirrored | undefined,
  now: string,
): lease is Mirrored & { readonly released_at: null } {
  if (lease === undefined || lease.released_at !== null) return false;
  return lease.expires_at === null || lease.expires_at > now;
}
