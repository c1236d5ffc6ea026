import type { EventFilter } from "../../domain/event-filter.ts";
import type { Events } from "../../store/types.ts";

/**
 * From where a reader must start anew, if it must: it stands before a purge of what it reads (facts http-api 5.3), or
 * behind the end of the log, which then is another log than the one it read: an older copy that was restored. Polls and
 * streams answer the same.
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
