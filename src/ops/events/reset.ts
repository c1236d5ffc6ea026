import { invalidField } from "../../contract/errors.ts";
import { LOG_HEADER, type LogMark, parseLogMark } from "../../contract/log-mark.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { Events, LogPlace } from "../../store/types/events.ts";

/**
 * A reader's cursor. `log` names the log that the reader has read up to the cursor; absent if the reader did not send
 * it.
 */
export interface ReaderCursor {
  readonly cursor: number;
  readonly log?: LogMark | undefined;
}

export interface CursorVerdict extends LogPlace {
  /** The id from which the reader goes on after it has read the state again; undefined if it need not start over. */
  readonly reset: number | undefined;
}

/**
 * Decides whether a reader may continue. It must start over in these cases:
 * - Something that it reads was purged after its cursor (docs/contract/http-api.md#53-purge-and-reset).
 * - Its cursor is beyond the end of this log, for example because an older copy was restored.
 * - Its log has another epoch than this log, or another chain at the cursor. The chain is not compared if the event at
 *   the cursor was purged.
 *
 * Polls and streams use the same rule.
 */
export async function judgeCursor(
  events: Pick<Events, "place" | "resetAfter">,
  { projects }: EventFilter,
  standing: ReaderCursor,
): Promise<CursorVerdict> {
  const place = await events.place(standing.cursor);
  if (isOtherLog(place, standing)) return { ...place, reset: place.last_event_id };
  const purged = await events.resetAfter(projects);
  return { ...place, reset: standing.cursor < purged ? purged : undefined };
}

export function isOtherLog(
  { last_event_id, epoch, chain }: LogPlace,
  { cursor, log }: ReaderCursor,
) {
  if (cursor > last_event_id) return true;
  if (log === undefined) return false;
  return epoch !== log.epoch || (log.chain !== undefined && chain !== null && chain !== log.chain);
}

/** Parses the header that names the log to which a reader's cursor belongs. */
export function sentLog(text: string | undefined): LogMark | undefined {
  if (text === undefined) return undefined;
  const mark = parseLogMark(text);
  if (mark === undefined) throw invalidField(LOG_HEADER, "must be <epoch> or <epoch>/<chain>");
  return mark;
}
