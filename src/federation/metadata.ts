import { EVENT_FEATURES } from "../contract/capabilities.ts";
import type { Replica } from "../ops/federation/bound-replica.ts";
import { isUsableMetadata } from "../ops/federation/hub-answer.ts";
import { type Hub, HubFault, type HubMetadata } from "./hub.ts";

/**
 * Requests the metadata of the project from the hub. Throws `HubFault` if there is no answer, or if no copy can begin
 * with the answer.
 */
export async function requireHubMetadata(
  hub: Hub,
  replica: Replica,
  signal: AbortSignal,
): Promise<HubMetadata> {
  const metadata = await hub.metadata(signal);
  const ours: readonly string[] = EVENT_FEATURES;
  if (metadata.required_event_features.some((feature) => !ours.includes(feature)))
    throw new HubFault("unsupported_event_features");
  if (metadata.project_uid !== replica.hub_project_uid || !isUsableMetadata(metadata))
    throw new HubFault("hub_validation");
  return metadata;
}
