import type { StoredEvent } from "../contract/events.ts";

/** What the order of events is decided by. */
export type Place = Pick<
  StoredEvent,
  "id" | "uid" | "type" | "project_uid" | "origin_instance_uid" | "hlc_physical_ms" | "hlc_counter"
>;

/**
 * Compares two events of a database by the order in which events are folded. The order is total, also for events of
 * different projects, since a link may lead from one project to another. Whatever folds, replays or verifies events
 * asks this function. Feeds (stream, poll, digest, audit) do not: they give events in the order of arrival, which is
 * that of `id`.
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
