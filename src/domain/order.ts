import type { StoredEvent } from "../contract/events.ts";

/** The fields of an event that decide its place in the order. */
export type Place = Pick<
  StoredEvent,
  "id" | "uid" | "type" | "project_uid" | "origin_instance_uid" | "hlc_physical_ms" | "hlc_counter"
>;

/**
 * Compares two events by the order in which events are folded. The order is total even for events of different
 * projects, because a link may connect two projects. All code that folds, replays or verifies events uses this
 * function. Feeds (stream, poll, digest, audit) use the order of arrival instead, which is the order of `id`.
 */
export function compareEvents(left: Place, right: Place): number {
  return left.id - right.id;
}

/** Returns each of the events once, in the order in which they are folded. */
export function inOrder<E extends Place>(events: Iterable<E>): readonly E[] {
  const once = new Map<string, E>();
  for (const event of events) once.set(event.uid, event);
  return [...once.values()].sort(compareEvents);
}
