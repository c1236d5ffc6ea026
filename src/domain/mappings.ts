import type { Payload, StoredEvent } from "../contract/events.ts";
import type { FoldOrder } from "./order.ts";
import type { ImportRow } from "./state.ts";

type Mapping = Pick<ImportRow, "project_uid" | "source" | "external_id">;

/** Which records of other trackers the event maps to its issue. */
export function mappingsOf({
  type,
  project_uid,
  payload,
}: Pick<StoredEvent, "type" | "project_uid" | "payload">): readonly Mapping[] {
  if (type === "issue.snapshot") {
    const { sources = [] } = payload as Payload<typeof type>;
    return sources.map(({ source, external_id }) => ({ project_uid, source, external_id }));
  }
  if (type === "issue.imported") {
    const { source, external_ids = [] } = payload as Payload<typeof type>;
    return external_ids.map((external_id) => ({ project_uid, source, external_id }));
  }
  if (type !== "issue.created") return [];
  const { source, external_id, other_external_ids = [] } = payload as Payload<typeof type>;
  if (source === undefined || external_id === undefined) return [];
  return [external_id, ...other_external_ids].map((id) => ({
    project_uid,
    source,
    external_id: id,
  }));
}

/** Greater than every id of a log. */
const NOT_ON_HUB = 2 ** 52;

/**
 * Of several issues to which events map one record, the issue of the event with the least number has it (issue 32, A4.5):
 * 1. What a baseline of the hub says, the newest one first: only the hub knows what was imported there.
 * 2. The event that the hub knew first. The hub itself, and all who have no hub, go by the order of arrival.
 * 3. Of the events that the hub does not have yet, the one that arrived first.
 */
export function rankOfMappings(event: StoredEvent, order: FoldOrder): number {
  const { id, type, hub_event_id } = event;
  if (hub_event_id === undefined) return NOT_ON_HUB + id;
  return type === "issue.snapshot" && order.isByHub(event) ? -hub_event_id : hub_event_id;
}
