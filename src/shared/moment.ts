import { msToInstant, parseInstant } from "../base/clock.ts";
import { parseDuration } from "../base/durations.ts";
import { invalid } from "../contract/errors.ts";

const DAY_MS = 86_400_000;

/**
 * Parses a duration before now (`90m`, `12h`, `7d`) or an RFC 3339 instant (facts cli-and-config 2.3); `name` is used
 * in the error.
 */
export function instantOf(name: string, text: string, nowMs: number): string {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const ago = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ago !== undefined && ago <= nowMs) return msToInstant(nowMs - ago);
  throw invalid(
    `${name} is neither how long ago nor an instant: ${text}`,
    "say 90m, 12h, 7d or 2026-01-31T09:00:00Z",
  );
}

/** A past moment for a query: an event id unchanged, a duration or time as an instant. */
export function momentOf(name: string, text: string | undefined, nowMs: number) {
  if (text === undefined || /^\d+$/.test(text)) return text;
  return instantOf(name, text, nowMs);
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
