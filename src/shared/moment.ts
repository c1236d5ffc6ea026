import { msToInstant, parseInstant } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";
import { invalid, type SvcError } from "../contract/errors.ts";
import { parsePlanningDate, resolvePlanningDate } from "../domain/dates.ts";
import { type Now, saidDate, type WeekdayDirection } from "../domain/said-dates.ts";

const DAY_MS = 86_400_000;

export interface Moment {
  readonly instant: string;
  /** True if the text was a word or a day, whose instant depends on the zone. */
  readonly isSaid: boolean;
}

/**
 * Parses the time of a flag. The text is one of these:
 *
 * - an RFC 3339 instant (docs/contract/command-line.md#23-inbox-waiting-activity)
 * - a word or a day (docs/dates.md), where a day means its beginning
 * - if `looking` is `back`, a duration before now (`90m`, `12h`, `7d`)
 *
 * For any other text, throws an error that contains `name`.
 */
export function instantOf(
  name: string,
  text: string,
  now: Now,
  looking: WeekdayDirection = "back",
): Moment {
  const instant = parseInstant(text);
  if (instant !== undefined) return { instant, isSaid: false };
  if (looking === "ahead") {
    const ahead = resolvePlanningDate(plannedOf(name, text, now), now.zone);
    if (ahead !== undefined) return { instant: ahead, isSaid: true };
    throw noDate(name, text, DATE_FORMS);
  }
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const ago = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ago !== undefined && ago <= now.ms)
    return { instant: msToInstant(now.ms - ago), isSaid: false };
  const resolved = resolvePlanningDate(saidDate(text, now, "back") ?? text, now.zone);
  if (resolved !== undefined) return { instant: resolved, isSaid: true };
  throw invalid(
    `${name} is neither how long ago nor a time: ${text}`,
    hintFor(text, "say 90m, 12h or 7d ago, yesterday, mon, 2026-01-31, 2026-01-31T09:00:00Z"),
  );
}

/** Converts a past moment for a query: a time or a duration becomes an instant, an event id stays as it is. */
export function momentOf(name: string, text: string | undefined, now: Now) {
  if (text === undefined || /^\d+$/.test(text)) return text;
  return instantOf(name, text, now).instant;
}

/**
 * Returns the planning date that a text such as `tomorrow` means. Only the daemon can convert this date to an instant,
 * since the issue may have its own zone.
 */
export function plannedOf(name: string, text: string, now: Now): string {
  const date = saidDate(text, now, "ahead") ?? text;
  if (parsePlanningDate(date) !== undefined) return date;
  throw noDate(name, text, DATE_FORMS);
}

const DATE_FORMS = "tomorrow, fri, +3d, eod, 2026-09-01, 2026-09-01T14:30 or 2026-09-01T12:30:00Z";

export function dayOf(name: string, text: string, now: Now, looking: WeekdayDirection): string {
  const date = saidDate(text, now, looking) ?? text;
  if (/^\d{4}-\d\d-\d\d$/.test(date) && parsePlanningDate(date) !== undefined) return date;
  throw noDate(
    name,
    text,
    looking === "ahead" ? "tomorrow, fri, +3d or 2026-09-01" : "yesterday, mon or 2026-01-31",
  );
}

function noDate(name: string, text: string, forms: string): SvcError {
  return invalid(`${name}: ${JSON.stringify(text)} is no date`, hintFor(text, `say ${forms}`));
}

function hintFor(text: string, forms: string): string {
  const count = /^\+(\d+)m$/i.exec(text.trim())?.[1];
  return count === undefined ? forms : `say +${count}min for minutes or +${count}mo for months`;
}

/** Parses a duration to milliseconds; 0 means no limit, and any other number without a unit is refused. */
export function waitingTime(name: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw invalid(
    `${name} needs a time with its unit, not ${text}`,
    "say 90s, 10m or 2h; 0 for ever",
  );
}
