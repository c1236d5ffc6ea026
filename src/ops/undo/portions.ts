import { type Instant, instantToMs, msToInstant, parseInstant } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { MAX_UNDO_EVENTS } from "../../contract/limits.ts";
import { undoingOf } from "../../domain/undo/kinds.ts";
import type { Reader, Span } from "../../store/types.ts";
import type { History } from "./load.ts";

/** Which part of a long undo one request takes back. */
export interface PortionRequest {
  readonly of_actor: string;
  readonly span: Span;
  /** What the actor did after the span and up to then was taken back before, as another portion of the same undo. */
  readonly undoneUntil: Instant;
}

/**
 * Up to when the actor's changes were taken back before as other portions of the same undo; the end of the span unless
 * the request says so.
 */
export function undoneUntilOf(text: string | undefined, { until }: Pick<Span, "until">): Instant {
  if (text === undefined) return until;
  const field = "undone_until";
  const instant = parseInstant(text);
  const rule = instant === undefined ? "must be an RFC 3339 instant" : "must not be before until";
  if (instant !== undefined && instant >= until) return instant;
  throw new SvcError("validation", { field }, { message: `${field} ${rule}` });
}

/** Ids of the changes that portions before this one took back. */
export function portionsBefore(
  { events }: History,
  { of_actor, span, undoneUntil }: PortionRequest,
): ReadonlySet<number> {
  const before = events.filter(
    (event) =>
      event.actor === of_actor &&
      event.created_at > span.until &&
      event.created_at <= undoneUntil &&
      (span.project_uid === undefined ||
        (event.feed_uid ?? event.project_uid) === span.project_uid) &&
      undoingOf(event) === "rows",
  );
  return new Set(before.map(({ id }) => id));
}

/**
 * The changes that the undo takes back. Those of one instant are one transaction and are taken back together, however
 * many they are. Refuses with `undo_too_large`, which names from when on the last changes are few enough.
 */
export async function changesOf(
  reader: Reader,
  actor: string,
  span: Span,
): Promise<readonly StoredEvent[]> {
  const found = await reader.past.by(actor, span, MAX_UNDO_EVENTS + 1);
  if (found.length <= MAX_UNDO_EVENTS) return found;
  const since = await lastPart(reader, actor, span);
  // Ids need not be in the order of time: a clock may have been set back.
  if (found.some(({ created_at }) => created_at < since)) throw tooMany(actor, since);
  return await reader.past.by(actor, span, Number.MAX_SAFE_INTEGER);
}

/** The earliest instant from which the changes to the end of the span fit into one undo. */
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
