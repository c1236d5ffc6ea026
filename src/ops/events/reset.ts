import { invalidField } from "../../contract/errors.ts";
import { LOG_HEADER, type LogMark, parseLogMark } from "../../contract/log-mark.ts";
import type { EventFilter } from "../../domain/event-filter.ts";
import type { Events, LogPlace } from "../../store/types/events.ts";

/** Where a reader stands: its cursor, and the log that it has read up to there, as far as it has said so. */
export interface Standing {
  readonly cursor: number;
  readonly log?: LogMark | undefined;
}

export interface Judged extends LogPlace {
  /** The id from which the reader must start anew; undefined if it may continue. */
  readonly reset: number | undefined;
}

/**
 * Decides whether a reader may continue. It must start anew if something that it reads was purged after its cursor
 * (facts http-api 5.3), or if what it has read is not the beginning of this log: the epoch or the chain at its cursor is
 * another, or its cursor is beyond the end, as after the restore of an older copy. A cursor whose event was purged is
 * judged by number and epoch alone. Polls and streams use the same rule.
 */
export async function judge(
  events: Pick<Events, "place" | "resetAfter">,
  { projects }: EventFilter,
  standing: Standing,
): Promise<Judged> {
  const place = await events.place(standing.cursor);
  if (isOtherLog(place, standing)) return { ...place, reset: place.last_event_id };
  const purged = await events.resetAfter(projects);
  return { ...place, reset: standing.cursor < purged ? purged : undefined };
}

export function isOtherLog({ last_event_id, epoch, chain }: LogPlace, { cursor, log }: Standing) {
  if (cursor > last_event_id) return true;
  if (log === undefined) return false;
  return epoch !== log.epoch || (log.chain !== undefined && chain !== null && chain !== log.chain);
}

/** Reads the header by which a reader names the log that its cursor belongs to. */
export function sentLog(text: string | undefined): LogMark | undefined {
  if (text === undefined) return undefined;
  const mark = parseLogMark(text);
  if (mark === undefined) throw invalidField(LOG_HEADER, "must be <epoch> or <epoch>/<chain>");
  return mark;
}
