import type { Replica } from "../ops/federation/bound-replica.ts";
import { disableReplica } from "../ops/federation/replica.ts";
import type { Hub, HubMetadata } from "./hub.ts";
import { requireHubMetadata } from "./metadata.ts";
import type { PassDeps } from "./pass-deps.ts";

/** The code with which a hub refuses the stamp of a replica. */
export const STALE = "federation_replica_stale";

/**
 * Decides what to do if the hub does not accept the stamp. If the hub's log was replaced, returns the hub's metadata,
 * with which the copy begins again. Otherwise this database was copied or restored, and another copy reads in its
 * place: disables this copy, and returns undefined.
 */
export async function judgeStale(
  { store }: Pick<PassDeps, "store">,
  hub: Hub,
  replica: Replica,
  signal: AbortSignal,
): Promise<HubMetadata | undefined> {
  const metadata = await requireHubMetadata(hub, replica, signal);
  const isOtherLog =
    (replica.epoch !== null && metadata.epoch !== replica.epoch) ||
    metadata.last_event_id < replica.cursor;
  if (isOtherLog) return metadata;
  await disableReplica(store, replica, STALE);
  return undefined;
}
