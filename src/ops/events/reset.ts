import type { EventFilter } from "../../domain/event-filter.ts";
import type { Events } from "../../store/types/events.ts";

/**
 * Returns the id from which a reader must start anew, or `undefined` if the reader may continue. A reader must start
 * anew if something that it reads was purged after its cursor (facts http-api 5.3), or if its cursor is beyond the end
 * of the log, as after the restore of an older copy. Polls and streams use the same rule.
 */
export async function resetFor(
  events: Pick<Events, "lastId" | "resetAfter">,
  { projects }: EventFilter,
  cursor: number,
): Promise<number | undefined> {
  const purged = await events.resetAfter(projects);
  if (cursor < purged) return purged;
  const last = await events.lastId();
  return cursor > last ? last : undefined;
}
