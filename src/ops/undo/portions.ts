import { type Instant, instantToMs, msToInstant, parseInstant } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { MAX_UNDO_EVENTS } from "../../contract/limits.ts";
import { feedOf } from "../../domain/event-filter.ts";
import { writerOf } from "../../domain/federation/bound-actor.ts";
import type { UndoHistory } from "../../domain/undo/facets.ts";
import { undoingOf } from "../../domain/undo/kinds.ts";
import type { Span } from "../../store/types/events.ts";
import type { Reader } from "../../store/types/store.ts";

/** The part of a long undo that one request takes back. */
export interface PortionRequest {
  readonly of_actor: string;
  readonly span: Span;
  /** Other portions of the same undo have undone the changes from the end of `span` up to this instant. */
  readonly undoneUntil: Instant;
}

/** Parses `undone_until`; the default is the end of the span. */
export function undoneUntilOf(text: string | undefined, { until }: Pick<Span, "until">): Instant {
  if (text === undefined) return until;
  const field = "undone_until";
  const instant = parseInstant(text);
  const rule = instant === undefined ? "must be an RFC 3339 instant" : "must not be before until";
  if (instant !== undefined && instant >= until) return instant;
  throw new SvcError("validation", { field }, { message: `${field} ${rule}` });
}

export function portionsBefore(
  { events }: UndoHistory,
  { of_actor, span, undoneUntil }: PortionRequest,
): ReadonlySet<number> {
  const before = events.filter(
    (event) =>
      writerOf(event) === of_actor &&
      event.created_at > span.until &&
      event.created_at <= undoneUntil &&
      (span.project_uid === undefined || feedOf(event) === span.project_uid) &&
      undoingOf(event) === "rows",
  );
  return new Set(before.map(({ id }) => id));
}

/**
 * Returns the changes to undo. Changes of the same instant belong to one transaction and stay together. If there are
 * too many changes, throws `undo_too_large` with the earliest start for which they fit into one undo.
 */
export async function changesOf(
  reader: Reader,
  actor: string,
  span: Span,
): Promise<readonly StoredEvent[]> {
  const events = await reader.past.by(actor, span, MAX_UNDO_EVENTS + 1);
  if (events.length <= MAX_UNDO_EVENTS) return events;
  const since = await lastPart(reader, actor, span);
  // Compare all changes with `since`, not only the first: if the clock was set back, ids are not in the order of time.
  if (events.some(({ created_at }) => created_at < since)) throw tooMany(actor, since);
  return await reader.past.by(actor, span, Number.MAX_SAFE_INTEGER);
}

/** The earliest start from which all changes up to the end of the span fit into one undo. */
async function lastPart(reader: Reader, actor: string, span: Span): Promise<Instant> {
  const newest = await reader.past.timeOf(actor, span, 0);
  const left = await reader.past.timeOf(actor, span, MAX_UNDO_EVENTS);
  invariant(newest !== undefined && left !== undefined, "there are more changes than the limit");
  return newest === left ? left : msToInstant(instantToMs(left) + 1);
}

function tooMany(actor: string, since: Instant): SvcError {
  return new SvcError(
    "undo_too_large",
    { limit: MAX_UNDO_EVENTS, since },
    {
      message: `${actor} made more than ${MAX_UNDO_EVENTS} changes in that time`,
      hint: `take back what was done from ${since} on first, then what was done before that`,
    },
  );
}
