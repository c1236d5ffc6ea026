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
 * If events map one record to several issues, the event with the smallest rank decides which issue has it:
 * 1. Events of a baseline of the hub, the newest first, because only the hub knows what was imported there.
 * 2. Events that the hub has, in the order in which it got them.
 * 3. Events that the hub does not have, in the order of this log. In the database of a hub, and in one without
 *    federation, all events are of this kind.
 */
export function rankOfMappings(event: StoredEvent, order: FoldOrder): number {
  const { id, type, hub_event_id } = event;
  if (hub_event_id === undefined) return NOT_ON_HUB + id;
  return type === "issue.snapshot" && order.isByHub(event) ? -hub_event_id : hub_event_id;
}
